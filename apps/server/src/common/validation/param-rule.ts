import {
  ValidateBy,
  validateSync,
  type ValidationArguments,
  type ValidationError,
  type ValidationOptions,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { type DetailCode } from '#libs/contracts';
import { type ParamContext, type ParamFault, type ParamKind, ParamProblem, type ParamSchema } from './param-kind.js';

/**
 * A rule of class-validator: `IsInt`, `(options) => Min(1, options)`. Rules of a parameter are applied in order; the
 * first that fails is reported, so a rule may rely on earlier ones (lengths before patterns).
 */
export type ParamRule = (options: ValidationOptions) => PropertyDecorator;

/** How a failed rule is reported; in `context` of its ValidationOptions. */
export interface RuleContext {
  code?: DetailCode;
  faults: (value: unknown, context: ParamContext) => readonly ParamFault[];
}

/** A sentence without its subject: "must be an integer". */
export type RuleMessage<V> = string | ((value: V, context: ParamContext) => string);

/** The rule with the code and sentence for its failure. */
export function rule<V>(code: DetailCode, says: RuleMessage<V>, decorator: ParamRule): ParamRule {
  const faults = (value: unknown, context: ParamContext): ParamFault[] => [
    { path: '', code, says: typeof says === 'string' ? says : says(value as V, context), given: value },
  ];
  return reported({ code, faults }, decorator);
}

/** A rule without a decorator in class-validator. `name` must differ from those of the other rules of the parameter. */
export function predicate(
  name: string,
  validate: (value: unknown, args: ValidationArguments) => boolean,
  ...constraints: unknown[]
): ParamRule {
  const validator = { validate } as ValidatorConstraintInterface;
  return (options) => ValidateBy({ name, constraints, validator }, options);
}

/** Options of the caller take precedence: a list replaces `faults` to identify the item. */
function reported(context: RuleContext, decorator: ParamRule): ParamRule {
  return (options) =>
    decorator({
      // Only contexts of rules with a message are passed on; people read the sentence of the context.
      message: context.code ?? 'refused',
      ...options,
      context: { ...context, ...(options.context as Partial<RuleContext> | undefined) },
    });
}

// ---------- kinds

/** How a kind converts and validates, separately. */
export interface KindRules {
  /** Converts a wire format to a value. Input without a value stays unchanged, and the rules refuse it. */
  toValue: (raw: unknown, context: ParamContext) => unknown;
  rules: readonly ParamRule[];
}

/** By conversion: a copied kind with a different conversion does not keep the rules of the original. */
const kindRules = new WeakMap<ParamKind<unknown>['convert'], KindRules>();

/** Kinds that validate during conversion have one rule: that there was a value. */
const IS_CONVERTED = reported(
  { faults: (value) => (value as ParamProblem).faults },
  predicate('isConverted', (value) => !(value instanceof ParamProblem)),
);

/** A kind whose rules are those of class-validator. */
export function ruledKind<T>({
  toValue,
  rules,
  ...kind
}: KindRules & Omit<ParamKind<T>, 'convert'> & { schema: () => ParamSchema }): ParamKind<T> {
  const judge = judgeOf(rules);
  const convert = (raw: unknown, context: ParamContext): T | ParamProblem => {
    const value = toValue(raw, context);
    const faults = judge(value, context);
    return faults.length > 0 ? new ParamProblem(faults) : (value as T);
  };
  kindRules.set(convert, { toValue, rules });
  return { ...kind, convert };
}

export function kindRulesOf(kind: ParamKind<unknown>): KindRules {
  const known = kindRules.get(kind.convert);
  if (known) return known;
  const toValue = (raw: unknown, context: ParamContext): unknown => {
    const value = kind.convert(raw, context);
    return value instanceof ParamProblem ? value.about(raw) : value;
  };
  return { toValue, rules: [IS_CONVERTED] };
}

/** Applies the rules to a value that is not a field of a class: an item of a list, or a part of another kind. */
export function judgeOf(rules: readonly ParamRule[]): (value: unknown, context: ParamContext) => ParamFault[] {
  let type: (new () => { value: unknown }) | undefined;
  return (value, context) => {
    type ??= holderOf(rules);
    const holder = new type();
    holder.value = value;
    return judge(holder, context).flatMap((error) => faultsWithin(error, context));
  };
}

function holderOf(rules: readonly ParamRule[]): new () => { value: unknown } {
  class Holder {
    value: unknown;
  }
  for (const by of rules) by({})(Holder.prototype, 'value');
  return Holder;
}

// ---------- judging

/** Context of the rules of an instance, apart from its values. */
const contexts = new WeakMap<object, ParamContext>();

export function setContext(instance: object, context: ParamContext): void {
  contexts.set(instance, context);
}

/** The context in which the rules of an instance run. */
export function contextOf(object: object): ParamContext {
  const context = contexts.get(object);
  if (context === undefined) throw new Error(`${object.constructor.name} was not made by the parameter pipe`);
  return context;
}

/** Errors of class-validator, at most one failed rule per field. */
export function judge(instance: object, context: ParamContext): ValidationError[] {
  setContext(instance, context);
  return validateSync(instance, {
    stopAtFirstError: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    // Classes without parameters have no rules.
    forbidUnknownValues: false,
    validationError: { target: false },
  });
}

/** Faults of some fields and of their members, with paths that begin with the field. */
export function faultsOf(errors: readonly ValidationError[], context: ParamContext): ParamFault[] {
  return errors.flatMap((error) => {
    const isUnknown = error.constraints?.[UNKNOWN_RULE] !== undefined;
    const name = isUnknown ? error.property.slice(UNKNOWN.length) : error.property;
    return faultsWithin(error, context).map((fault) => ({ ...fault, path: pathOf(name, fault.path) }));
  });
}

function faultsWithin(error: ValidationError, context: ParamContext): ParamFault[] {
  const own = Object.entries(error.constraints ?? {}).flatMap(([name, message]) => {
    if (name === UNKNOWN_RULE) return [IS_UNKNOWN];
    const answer = error.contexts?.[name] as Partial<RuleContext> | undefined;
    return answer?.faults?.(error.value, context) ?? [foreignFault(error, message, answer?.code)];
  });
  return [...own, ...faultsOf(error.children ?? [], context)];
}

/** A decorator of class-validator on the field itself; it may specify its code in `context: { code }`. */
function foreignFault(
  { property, value }: ValidationError,
  message: string,
  code: DetailCode = 'bad_format',
): ParamFault {
  const subject = `${property} `;
  const says = message.startsWith(subject) ? message.slice(subject.length) : message;
  return { path: '', code, says, given: value };
}

export function pathOf(head: string | number, rest: string): string {
  return rest === '' ? String(head) : `${String(head)}.${rest}`;
}

// ---------- unknown members

/**
 * Names are marked because class-validator looks them up in a plain object, and would accept `constructor` and
 * `__proto__` as declared.
 */
const UNKNOWN = 'unknown member ';
const UNKNOWN_RULE = 'whitelistValidation';
const IS_UNKNOWN: ParamFault = { path: '', code: 'unknown_parameter', says: 'is not a parameter of this call' };

/** Passes sent but undeclared names to the whitelist of class-validator. */
export function setUnknown(instance: object, names: readonly string[]): void {
  for (const name of names) Object.assign(instance, { [UNKNOWN + name]: undefined });
}
