import { Check, checksOf, type ParamsClass, paramsOf } from './param-registry.js';
import { Param } from './param.decorator.js';

/**
 * A class with the parameters and rules of another one, some omitted: `class A extends paramsWithout(B, ['c']) {}`. A
 * subclass could only add to them.
 */
export function paramsWithout<T extends object, K extends keyof T & string>(
  type: ParamsClass<T>,
  names: readonly K[],
): ParamsClass<Omit<T, K>> {
  class Remaining {
    [name: string]: unknown;
  }
  for (const { name, kind, options } of paramsOf(type).values()) {
    if (!(names as readonly string[]).includes(name)) Param(kind, options)(Remaining.prototype, name);
  }
  for (const check of checksOf(type)) Check(check)(Remaining as unknown as ParamsClass<T>);
  return Remaining as unknown as ParamsClass<Omit<T, K>>;
}
