import { Get, Post } from '@nestjs/common';

/** Marks a route that only reads, with any method. Both methods of `@Fetch` have it. */
export const FETCH_ROUTE = Symbol('fetch route');
/** Marks the POST form of a `@Fetch` route; its value is the name of the method that serves GET. */
export const POST_TWIN_OF = Symbol('post twin of');

const ROUTE_ARGUMENTS = '__routeArguments__';
const DESIGN_KEYS = ['design:type', 'design:paramtypes', 'design:returntype'];

/**
 * One fetching call, served as GET and as POST. Nest keeps one method per handler, so the handler is given a second
 * name that carries the same access rule, parameters and documentation.
 *
 * Must be the topmost decorator of the handler: it copies the declarations of the ones below. With `@SideEffect()` it
 * is an older GET that changes something; its POST form then is a write in the eyes of the cross-site rule.
 */
export function Fetch(path = ''): MethodDecorator {
  return (target, key, descriptor) => {
    const name = String(key);
    const handler = descriptor.value as unknown as (this: object, ...args: unknown[]) => unknown;
    Reflect.defineMetadata(FETCH_ROUTE, true, handler);

    const twinName = `${name}ByPost`;
    const twin = {
      [twinName](this: object, ...args: unknown[]): unknown {
        return handler.apply(this, args);
      },
    }[twinName]!;
    for (const metadataKey of Reflect.getOwnMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(metadataKey, Reflect.getOwnMetadata(metadataKey, handler), twin);
    }
    Reflect.defineMetadata(POST_TWIN_OF, name, twin);
    copyMetadata([ROUTE_ARGUMENTS], target.constructor, name, twinName);
    copyMetadata(DESIGN_KEYS, target, name, twinName);

    Get(path)(target, key, descriptor);
    const twinDescriptor = { value: twin, configurable: true, enumerable: false, writable: true };
    Object.defineProperty(target, twinName, twinDescriptor);
    Post(path)(target, twinName, twinDescriptor);
  };
}

function copyMetadata(keys: readonly string[], host: object, from: string, to: string): void {
  for (const metadataKey of keys) {
    const value: unknown = Reflect.getOwnMetadata(metadataKey, host, from);
    if (value !== undefined) Reflect.defineMetadata(metadataKey, value, host, to);
  }
}
