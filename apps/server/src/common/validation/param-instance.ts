import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { type ParamContext } from './param-kind.js';
import { type ParamsClass } from './param-registry.js';
import { setContext } from './param-rule.js';

/** Holds the sent value: class-transformer does not traverse it, only the conversion of its parameter looks inside. */
export class RawValue {
  constructor(readonly value: unknown) {}
}

export interface TransformOptionsWithContext extends ClassTransformOptions {
  paramContext: ParamContext;
}

/** Converts the sent values of the parameters of a class; its rules are not applied yet. */
export function toInstance<T extends object>(
  type: ParamsClass<T>,
  sent: Iterable<readonly [name: string, raw: unknown]>,
  context: ParamContext,
): T {
  const plain = Object.fromEntries([...sent].map(([name, raw]) => [name, new RawValue(raw)]));
  const options: TransformOptionsWithContext = { excludeExtraneousValues: true, paramContext: context };
  const instance = plainToInstance(type, plain, options);
  setContext(instance, context);
  return instance;
}
