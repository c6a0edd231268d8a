import { applyDecorators } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { IsDefined, ValidateIf } from 'class-validator';
import { type RawValue, type TransformOptionsWithContext } from './param-instance.js';
import { type ParamContext, type ParamKind, type ParamOptions, type ParamSchema } from './param-kind.js';
import { registerParam } from './param-registry.js';
import { rule, type KindRules, kindRulesOf } from './param-rule.js';
import { isEmpty, splitList } from './param-text.js';

/**
 * A field that is a parameter: combines conversion from all forms on the wire (class-transformer), rules
 * (class-validator), and documentation. The decorators of `param.decorators.ts` use it; a new type of parameter is a
 * new `ParamKind`.
 */
export function Param<T>(kind: ParamKind<T>, options: ParamOptions<T> = {}): PropertyDecorator {
  const { toValue, rules } = kindRulesOf(kind);
  const documented: ParamKind<T> = { ...kind, schema: () => describe(kind, options) };
  return applyDecorators(
    Expose(),
    Transform(({ obj, key, options: transformOptions }) => {
      const sent = (obj as Partial<Record<string, RawValue>>)[key];
      const { paramContext } = transformOptions as TransformOptionsWithContext;
      return valueOf(sent?.value, kind, toValue, options, paramContext);
    }),
    ValidateIf((_, value: unknown) => isJudged(value, kind, options)),
    IS_PRESENT({}),
    ...rules.map((decorator) => decorator({})),
    (prototype: object, name: string | symbol) =>
      registerParam(prototype, { name: String(name), kind: documented, options }),
  );
}

/** `null` is a parameter that was cleared, but is required. */
const IS_PRESENT = rule('required', (value) => (value === null ? 'must not be empty' : 'is required'), IsDefined);

function valueOf<T>(
  raw: unknown,
  kind: ParamKind<T>,
  toValue: KindRules['toValue'],
  options: ParamOptions<T>,
  context: ParamContext,
): unknown {
  const empty = isEmpty(raw);
  // A fetch without a selection selects all, in a list as in a text.
  const isEmptyList = Array.isArray(raw) ? raw.length === 0 : kind.shape === 'list' && isEmptyListText(raw);
  const choosesNothing = empty || isEmptyList;
  if (raw === undefined || (choosesNothing && !context.write)) {
    return options.required === true ? undefined : options.default;
  }
  if (empty) return options.nullable === true ? null : (kind.cleared ?? null);
  return toValue(raw, context);
}

/** Only commas, as from a repeated name without values. */
const isEmptyListText = (raw: unknown): boolean => typeof raw === 'string' && splitList(raw).length === 0;

/** The value of an omitted or cleared parameter needs no rule. */
function isJudged<T>(value: unknown, kind: ParamKind<T>, options: ParamOptions<T>): boolean {
  if (value === undefined) return options.required === true;
  if (value === null) return options.nullable !== true;
  return value !== options.default && value !== kind.cleared;
}

function describe<T>(kind: ParamKind<T>, options: ParamOptions<T>): ParamSchema {
  const schema = kind.schema();
  return {
    ...schema,
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.nullable === true ? { nullable: true } : {}),
  };
}
