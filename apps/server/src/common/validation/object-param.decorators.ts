import { IsObject, ValidateNested } from 'class-validator';
import { toInstance } from './param-instance.js';
import { type ParamContext, type ParamKind, type ParamOptions } from './param-kind.js';
import { type ParamsClass, paramsOf } from './param-registry.js';
import { rule, ruledKind, setUnknown } from './param-rule.js';
import { Param } from './param.decorator.js';
import { MAX_UNKNOWN_NAMED } from './request-parameters.js';

/** Object whose members are separate parameters (a JSON object, or dotted names): `@ObjectParam(() => FlagsParams)`. */
export const ObjectParam = <T extends object>(
  type: () => ParamsClass<T>,
  options: ParamOptions<T> = {},
): PropertyDecorator => Param(objectKind(type), options);

const IS_OBJECT = rule('not_object', 'must be an object', IsObject);

export function objectKind<T extends object>(type: () => ParamsClass<T>): ParamKind<T> {
  return ruledKind({
    shape: 'object',
    schema: () => {
      const specs = [...paramsOf(type()).values()];
      return {
        type: 'object',
        properties: Object.fromEntries(
          specs.map(({ name, kind, options: { description } }) => [name, { ...kind.schema(), description }]),
        ),
        required: specs.filter(({ options }) => options.required).map(({ name }) => name),
      };
    },
    toValue: (raw, context) => (isObject(raw) ? readMembers(type(), raw, context) : raw),
    rules: [IS_OBJECT, ({ each }) => ValidateNested({ each })],
  });
}

function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function readMembers<T extends object>(type: ParamsClass<T>, raw: Record<string, unknown>, context: ParamContext): T {
  const specs = paramsOf(type);
  const names = Object.keys(raw);
  const known = names.filter((name) => specs.has(name)).map((name) => [name, raw[name]] as const);
  const instance = toInstance(type, known, context);
  if (context.refuseUnknown) {
    const unknown = names.filter((name) => !specs.has(name));
    setUnknown(instance, unknown.slice(0, MAX_UNKNOWN_NAMED));
  }
  return instance;
}

/** Any JSON object, passed on unchanged; its reader validates it. */
export const JsonObjectParam = (options: ParamOptions<Record<string, unknown>> = {}): PropertyDecorator =>
  Param(JSON_OBJECT, options);

const JSON_OBJECT = ruledKind<Record<string, unknown>>({
  shape: 'object',
  // Explicit, although it is the default: generated clients would accept no member.
  schema: () => ({ type: 'object', additionalProperties: true }),
  toValue: (raw) => raw,
  rules: [IS_OBJECT],
});
