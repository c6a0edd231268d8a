import { type DetailCode, type ErrorDetail } from '#libs/contracts';
import { isPackedPairs } from '../http/large-body.js';
import { type ParamSpec } from './param-registry.js';
import { isEmpty } from './param-text.js';

/** The two sources of parameters, as the body parsers left them. */
export interface ParameterSource {
  query: unknown;
  body: unknown;
  /** The body is a form: all values are strings, and a name may be repeated. */
  form: boolean;
}

export interface SentParameter {
  value: unknown;
  inQuery: boolean;
}

export interface GatheredParameters {
  /** By name; only declared names. */
  known: Map<string, SentParameter>;
  /** Undeclared names. */
  unknown: string[];
  problems: ErrorDetail[];
}

/** An answer to a body full of unknown names does not contain all of them. */
export const MAX_UNKNOWN_NAMED = 100;

/** Maximum number of names in the query string and in the body: far more than any call has parameters. */
export const MAX_NAMES = 1000;
/** Parts of a dotted name: `permissions.read` has two. */
export const MAX_NAME_PARTS = 8;
/** Characters of a name that an answer quotes. */
const MAX_QUOTED_NAME = 100;

type Members = Record<string, unknown>;

/** For the edge, which reads the session from it; every endpoint accepts it. */
export const KNOWN_EVERYWHERE: ReadonlySet<string> = new Set(['session_id']);

/**
 * Merges query string and body. The same name with two different values is a problem, except that a list may be sent as
 * repeated names and as `name[]`. Dotted names refer to members of parameters that are objects.
 */
export function gatherParameters(
  source: ParameterSource,
  specs: ReadonlyMap<string, ParamSpec>,
  clears: boolean,
): GatheredParameters {
  const gathered: GatheredParameters = { known: new Map(), unknown: [], problems: [] };
  const body = bodyMembers(source.body);
  const problems = new Set<string>();
  const report = (field: string, code: DetailCode, message: string): void => {
    if (problems.has(field)) return;
    problems.add(field);
    gathered.problems.push({ field, code, message });
  };
  if (body === undefined) {
    report('body', 'not_object', 'the body must be a JSON object');
  }
  const taking: Taking = { gathered, specs, clears, report, own: new Set() };
  for (const [place, sent, asText, inQuery] of [
    ['body', body ?? {}, source.form, false],
    ['query', members(source.query) ?? {}, true, true],
  ] as const) {
    if (Object.keys(sent).length > MAX_NAMES) {
      report(place, 'too_many', `${place} must have at most ${String(MAX_NAMES)} names`);
    } else {
      take(taking, entriesOf(sent, asText, specs), inQuery);
    }
  }
  return gathered;
}

/** Members of the body; a token in the body moves the parameters one level down. Undefined: not an object. */
function bodyMembers(body: unknown): Members | undefined {
  if (body === undefined || body === null) return {};
  const outer = members(body);
  if (outer === undefined) return undefined;
  const inner = members(outer.data);
  if (inner === undefined || typeof inner.token !== 'string') return outer;
  const { data: _data, status: _status, ...beside } = outer;
  const { token: _token, ...parameters } = inner;
  return { ...beside, ...parameters };
}

function members(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** Name and values of each parameter in one place. Strings of a list are joined again, so that one rule splits them. */
function entriesOf(
  source: Members,
  asText: boolean,
  specs: ReadonlyMap<string, ParamSpec>,
): { name: string; values: unknown[] }[] {
  const byName = new Map<string, unknown[]>();
  for (const [sent, value] of Object.entries(source)) {
    const name = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
    const values = asText && Array.isArray(value) ? (value as unknown[]) : [value];
    byName.set(name, [...(byName.get(name) ?? []), ...values]);
  }
  return [...byName].map(([name, values]) => {
    if (!hasShape(specs, name, 'list') || values.length < 2) return { name, values };
    const items = values.flat();
    // Objects have no text form: they stay items, and the rule of the list refuses them.
    return { name, values: [items.some(isObject) ? items : items.join(',')] };
  });
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function hasShape(specs: ReadonlyMap<string, ParamSpec>, name: string, shape: 'list' | 'object'): boolean {
  const known = specs.get(name)?.kind.shape;
  return known === shape || known === 'list or object';
}

interface Taking {
  gathered: GatheredParameters;
  specs: ReadonlyMap<string, ParamSpec>;
  clears: boolean;
  /** Records a problem; only the first of each field. */
  report: (field: string, code: DetailCode, message: string) => void;
  /** Objects created here, to which members are added without a copy. */
  own: Set<Members>;
}

function take(taking: Taking, entries: { name: string; values: unknown[] }[], inQuery: boolean): void {
  const { gathered, specs, clears, report } = taking;
  for (const { name, values } of entries) {
    const path = name.split('.', MAX_NAME_PARTS + 1);
    const root = path[0] ?? '';
    const isPath = path.length > 1 && !specs.has(name) && hasShape(specs, root, 'object');
    if (!isPath && !specs.has(name)) {
      if (!KNOWN_EVERYWHERE.has(name)) gathered.unknown.push(quoted(name));
      continue;
    }
    if (isPath && path.length > MAX_NAME_PARTS) {
      report(quoted(name), 'too_long', `${quoted(name)} must have at most ${String(MAX_NAME_PARTS)} parts`);
      continue;
    }
    for (const value of values) {
      if (!clears && isEmpty(value)) continue;
      const kept = isPath ? setMember(taking, path, value, inQuery) : setWhole(gathered.known, name, value, inQuery);
      if (kept) continue;
      report(quoted(name), 'duplicate_parameter', `${quoted(name)} is given with different values`);
      break;
    }
  }
}

function quoted(name: string): string {
  return name.length > MAX_QUOTED_NAME ? `${name.slice(0, MAX_QUOTED_NAME)}…` : name;
}

/** False if the parameter already has another value. */
function setWhole(known: Map<string, SentParameter>, name: string, value: unknown, inQuery: boolean): boolean {
  const present = known.get(name);
  if (present !== undefined) {
    present.inQuery ||= inQuery;
    return !isBulk(present.value) && !isBulk(value) && textOf(present.value) === textOf(value);
  }
  known.set(name, { value, inQuery });
  return true;
}

/**
 * Sets `permissions.read` inside `permissions`. False if that place already has another value. O(path), except for the
 * first call.
 */
function setMember({ gathered: { known }, own }: Taking, path: string[], value: unknown, inQuery: boolean): boolean {
  const root = path[0] ?? '';
  const sent = known.get(root) ?? { value: {}, inQuery };
  sent.inQuery ||= inQuery;
  let place = ownMembers(sent.value, own);
  known.set(root, { value: place, inQuery: sent.inQuery });
  for (const step of path.slice(1, -1)) {
    const next = ownMembers(place[step], own);
    place[step] = next;
    place = next;
  }
  const leaf = path[path.length - 1] ?? '';
  if (place[leaf] !== undefined) return textOf(place[leaf]) === textOf(value);
  place[leaf] = value;
  return true;
}

/**
 * The object itself if it was created here, otherwise a copy without prototype: names such as __proto__ stay plain
 * members.
 */
function ownMembers(value: unknown, own: Set<Members>): Members {
  const given = members(value);
  if (given !== undefined && own.has(given)) return given;
  const copy = Object.assign(Object.create(null) as Members, given);
  own.add(copy);
  return copy;
}

/** Files and long series: two of them are always two values, and their text would be many times as long. */
const isBulk = (value: unknown): boolean => ArrayBuffer.isView(value) || isPackedPairs(value);

/** The same text for all forms of the same value: 5 and "5", ["a","b"] and "a,b". */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
