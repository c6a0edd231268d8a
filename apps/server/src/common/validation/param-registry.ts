import { type ErrorDetail } from '#libs/contracts';
import { type ParamKind, type ParamOptions } from './param-kind.js';

/** A class whose fields are parameters. */
export type ParamsClass<T extends object = object> = new () => T;

export interface ParamSpec {
  name: string;
  kind: ParamKind<unknown>;
  options: ParamOptions<unknown>;
}

/** Context of a rule over several parameters, apart from their values. */
export interface CheckedRequest {
  /** Unix seconds. */
  now: number;
  /** Names of the sent parameters, including those with a problem. */
  given: ReadonlySet<string>;
  /** Values by name after conversion, including those with a problem. */
  values: Readonly<Record<string, unknown>>;
}

/** A rule over several parameters. Fields that already have a problem are undefined. */
export type ParamsCheck<T> = (params: Partial<T>, request: CheckedRequest) => readonly ErrorDetail[];

const specs = new WeakMap<object, Map<string, ParamSpec>>();
const checks = new WeakMap<object, ParamsCheck<never>[]>();
/** Parameters of all classes: they may be in any address. */
const secretNames = new Set<string>();
/** Names of secrets, also of parameters that no class declares or that are not marked as secrets. */
const SECRET_NAME = /session|token|sig|pass|secret|code|key|nonce|credential|webhook|authorization|^p$/i;

export function registerParam(prototype: object, spec: ParamSpec): void {
  const own = specs.get(prototype) ?? new Map<string, ParamSpec>();
  own.set(spec.name, spec);
  specs.set(prototype, own);
  if (spec.options.isSecret === true || spec.options.bodyOnly === true) secretNames.add(spec.name);
}

/** True if logs and messages hide the values of parameters with this name. */
export const isSecretParameter = (name: string): boolean =>
  SECRET_NAME.test(name) || secretNames.has(name.toLowerCase());

/** Parameters of a class and its ancestors by name; a subclass replaces parameters that it declares again. */
export function paramsOf(type: ParamsClass): ReadonlyMap<string, ParamSpec> {
  return new Map(
    lineage(type).flatMap((prototype) => [...(specs.get(prototype) ?? new Map<string, ParamSpec>()).entries()]),
  );
}

/** Rules over several parameters, those of ancestors first. */
export function checksOf<T extends object>(type: ParamsClass<T>): readonly ParamsCheck<T>[] {
  return lineage(type).flatMap((prototype) => checks.get(prototype) ?? []) as unknown as ParamsCheck<T>[];
}

/** Class decorator: adds a rule over several parameters, reported together with the other problems of the request. */
export function Check<T extends object>(check: ParamsCheck<T>): (type: ParamsClass<T>) => void {
  return (type) => {
    const prototype = type.prototype as object;
    checks.set(prototype, [...(checks.get(prototype) ?? []), check]);
  };
}

/** Rule: exactly one of the named parameters must be given. */
export function exactlyOne<T extends object>(...names: (keyof T & string)[]): ParamsCheck<T> {
  return (_, request) => {
    const given = names.filter((name) => request.given.has(name));
    if (given.length === 1) return [];
    const got = given.length === 0 ? 'none' : given.join(', ');
    const message = `exactly one of ${names.join(', ')} must be given, got ${got}`;
    return [{ field: names[0] ?? '', code: 'exactly_one', message }];
  };
}

/** Prototypes from the oldest ancestor down to the class itself. */
function lineage(type: ParamsClass): object[] {
  const chain: object[] = [];
  let prototype = type.prototype as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    chain.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}

/** `second` repeats `first`, as a password that is typed twice; also if `first` itself has a problem. */
export function repeats<T extends object>(second: keyof T & string, first: keyof T & string): ParamsCheck<T> {
  return (_, { values }) =>
    values[first] == null || values[second] == null || values[first] === values[second]
      ? []
      : [{ field: second, code: 'mismatch', message: `${second} must be the same as ${first}` }];
}
