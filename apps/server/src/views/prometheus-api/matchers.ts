import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { METRIC_LABEL } from '#libs/contracts';
import { isNameProblem, parseMetricName } from '#libs/protocols';
import { type LabelMatcher, NAME_LABEL } from './promql.types.js';
import { BadDataError, QueryTimeoutError } from './prometheus.errors.js';

/** Facts about the texts that match a pattern, derived without running it. */
interface PatternFacts {
  /** All texts that match; null if they are not a short list. */
  set: readonly string[] | null;
  /** Common prefix of all matching texts. */
  prefix: string;
}

/** Maximum number of texts, enough for the values that a dashboard lets people choose. */
const MAX_SET = 1000;

/** Characters that are literal in every position. */
const PLAIN = /^[\p{L}\p{N}_ \-/:=%@#~&<>,;'"!]$/u;
const QUANTIFIERS = '*?{+';

/** Maximum length of a pattern that is not a list of texts. */
export const MAX_PATTERN_CHARACTERS = 1000;
/** Maximum number of instructions of a compiled pattern: each character of a text may be compared with all of them. */
const MAX_PROGRAM = 1000;
/** Maximum time that the patterns of a request may use the main thread, milliseconds. */
const PATTERN_BUDGET_MS = 1000;
const REMEMBERED_VALUES = 10_000;
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** A compiled matcher. */
export interface ReadyMatcher extends LabelMatcher {
  /** Facts of `=~` and `!~`; null for the others. */
  facts: PatternFacts | null;
  /** True if it matches a missing label. */
  matchesEmpty: boolean;
  /**
   * Returns true if the value of the label matches. @throws QueryTimeoutError if the patterns of the request took too
   * long
   */
  holds: (value: string) => boolean;
}

/** The time of the main thread that the patterns of one request have used. */
export class PatternBudget {
  private elapsedMs = 0;

  /** @param nowMs monotonic clock, milliseconds */
  constructor(private readonly nowMs = () => performance.now()) {}

  /** @throws QueryTimeoutError */
  spend<Result>(work: () => Result): Result {
    const start = this.nowMs();
    const result = work();
    this.elapsedMs += this.nowMs() - start;
    if (this.elapsedMs > PATTERN_BUDGET_MS) throw new QueryTimeoutError('matching regular expressions');
    return result;
  }
}

/** @throws BadDataError if a pattern cannot be parsed, or is too large */
export function readyMatchers(matchers: readonly LabelMatcher[], budget: PatternBudget): ReadyMatcher[] {
  return matchers.map((matcher) => readyMatcher(matcher, budget));
}

/** True if the matchers would select every series; such a selector is refused, as in Prometheus. */
export function selectsAll(matchers: readonly ReadyMatcher[]): boolean {
  return matchers.every(({ matchesEmpty }) => matchesEmpty);
}

export function isOnName({ name }: LabelMatcher): boolean {
  return name === NAME_LABEL;
}

function readyMatcher(matcher: LabelMatcher, budget: PatternBudget): ReadyMatcher {
  const { name, operator, value: wanted } = matcher;
  // The database cannot store such texts, and refuses queries with them.
  if (UNSTORABLE.test(name) || UNSTORABLE.test(wanted)) throw new BadDataError('a matcher holds a zero byte');
  const isNegative = operator === '!=' || operator === '!~';
  const isPattern = operator === '=~' || operator === '!~';
  const facts = isPattern ? factsOf(wanted) : null;
  const test = isPattern ? patternTest(wanted, facts!, budget) : textTest(name, wanted);
  const holds = (value: string) => test(value) !== isNegative;
  return { ...matcher, facts, holds, matchesEmpty: holds('') };
}

/** A metric name may be written in several ways: with its labels in another order, or with blanks. */
function textTest(label: string, wanted: string): (value: string) => boolean {
  const parsed = label === METRIC_LABEL ? parseMetricName(wanted) : undefined;
  const canonical = parsed === undefined || isNameProblem(parsed) ? wanted : parsed.name;
  return (value) => value === wanted || value === canonical;
}

/** The whole text must match the pattern, as in Prometheus; the engine takes linear time in the length of the text. */
function patternTest(pattern: string, facts: PatternFacts, budget: PatternBudget): (value: string) => boolean {
  if (facts.set !== null) {
    const set = new Set(facts.set);
    return (value) => set.has(value);
  }
  const compiled = budget.spend(() => compile(pattern));
  const known = new LRUCache<string, { holds: boolean }>({ max: REMEMBERED_VALUES });
  return (value) => {
    const before = known.get(value);
    if (before) return before.holds;
    const holds = value.startsWith(facts.prefix) && budget.spend(() => compiled.testExact(value));
    known.set(value, { holds });
    return holds;
  };
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw new BadDataError(`a regular expression has at most ${String(MAX_PATTERN_CHARACTERS)} characters`);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    throw new BadDataError(`error parsing regexp: ${(error as Error).message.replace(/^error parsing regexp: /, '')}`);
  }
  if (compiled.programSize() > MAX_PROGRAM) {
    throw new BadDataError('the regular expression is too large: it repeats too much');
  }
  return compiled;
}

/**
 * Derives conditions that a database can look up: a list of texts (`a|b`, `(a|b)`, with escaped characters, as
 * dashboards write chosen values), or else a prefix (`http_.*`). Both are exact; for other patterns there are none.
 */
export function factsOf(pattern: string): PatternFacts {
  const isWrapped = /^\((?:\?:)?[^()]*\)$/.test(pattern) && !pattern.endsWith('\\)');
  const inner = isWrapped ? pattern.slice(pattern.startsWith('(?:') ? 3 : 1, -1) : pattern;
  const parts: string[] = [];
  let literal = '';
  for (let at = 0; at < inner.length;) {
    const character = String.fromCodePoint(inner.codePointAt(at)!);
    const escaped = inner[at + 1];
    if (character === '|') {
      parts.push(literal);
      if (parts.length >= MAX_SET) return { set: null, prefix: '' };
      literal = '';
      at++;
    } else if (PLAIN.test(character)) {
      literal += character;
      at += character.length;
    } else if (character === '\\' && escaped !== undefined && /[^A-Za-z0-9]/.test(escaped)) {
      literal += escaped;
      at += 2;
    } else {
      return { set: null, prefix: pattern.includes('|') || isWrapped ? '' : prefixBefore(literal, character) };
    }
  }
  return { set: [...new Set([...parts, literal])], prefix: '' };
}

/** A quantifier applies to the last character, which may then be absent. */
function prefixBefore(literal: string, sign: string): string {
  return QUANTIFIERS.includes(sign) ? literal.replace(/.$/su, '') : literal;
}
