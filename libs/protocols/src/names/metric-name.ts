import { isComposable, MAX_MARKS_IN_A_ROW } from '#libs/contracts';
import { quoted } from '../batch/quoted.js';
import {
  DEFAULT_NAME_LIMITS,
  MAX_SPELLING_FACTOR,
  type NameLimits,
  SENT_LABELS_FACTOR,
  UNLIMITED,
} from './name-limits.js';

/** A parsed metric name. */
export interface ParsedMetricName {
  /** Canonical form: labels sorted by key, no blanks, values escaped. Equal text means the same metric. */
  name: string;
  /** The name without labels. */
  displayName: string;
  /** Sorted by key, without empty values. */
  labels: Record<string, string>;
}

/** Why a text is not a metric name. */
export interface MetricNameProblem {
  problem: string;
  reason: 'bad_name' | 'too_many_labels';
}

export type LabelPair = readonly [key: string, value: string];

/** Characters of a name outside its labels: letters, digits and some punctuation (no blanks, quotes, commas or braces). */
const NAME = /^[\p{L}\p{Nd}_.\-:/=+%@#~$&()[\]]+$/u;
const NOT_NAME = /[^\p{L}\p{Nd}_.\-:/=+%@#~$&()[\]]/gu;
const LABEL_KEY = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** Control characters except the line feed, and unpaired surrogates (which no encoding can represent). */
const NOT_LABEL_VALUE = /[\p{Cc}\p{Cs}]/gu;
/** Values that need neither checks nor escapes: the majority. */
const PLAIN_VALUE = /^[ !#-[\]-~]*$/;
/** Addresses a metric by number; never a name. */
const ID_FORM = /^id:\d+$/;
/** `key="value"` in a label set; sticky, so that one pass reads the set without copying. */
const LABEL = /\s*([^\s=,{}"]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/sy;

/**
 * Reads a metric name in the form of people and programs: dotted (`web-1.eth0.tx_byte`) or with labels
 * (`name{label="value", …}`; blanks, any label order and a trailing comma are allowed). Text is normalised to NFC.
 * Never throws. O(length).
 */
export function parseMetricName(
  text: string,
  limits: NameLimits = DEFAULT_NAME_LIMITS,
): ParsedMetricName | MetricNameProblem {
  const trimmed = text.trim();
  // NFC rarely lengthens text; far longer text is refused before any other work.
  if (trimmed.length > limits.maxNameLength * MAX_SPELLING_FACTOR) return tooLong(limits);
  const brace = trimmed.indexOf('{');
  if (brace < 0) return composeMetricName(trimmed, [], limits);
  if (!trimmed.endsWith('}')) return bad('a label set that is opened must be closed at the end of the name');
  const pairs = readLabelSet(trimmed.slice(brace + 1, -1), limits);
  return 'problem' in pairs ? pairs : composeMetricName(trimmed.slice(0, brace).trimEnd(), pairs, limits);
}

/** A name and labels from a structured source, validated and in canonical form. A duplicate key is a problem. */
export function composeMetricName(
  displayName: string,
  labels: Iterable<LabelPair>,
  limits: NameLimits = DEFAULT_NAME_LIMITS,
): ParsedMetricName | MetricNameProblem {
  // Lengths first: the other checks then cost no more than the length of a name.
  const longest = limits.maxNameLength * MAX_SPELLING_FACTOR;
  if (displayName.length > longest) return tooLong(limits);
  if (!isComposable(displayName)) return bad(TOO_MANY_MARKS);
  const normalName = displayName.normalize('NFC');
  if (normalName === '') return bad('a name must not be empty');
  if (!NAME.test(normalName)) return bad(`a name may not contain ${quoted(firstNotAllowed(normalName))}`);
  const kept: LabelPair[] = [];
  let isSorted = true;
  let sent = 0;
  let length = displayName.length;
  for (const pair of labels) {
    const [key, value] = pair;
    if (++sent > limits.maxLabels * SENT_LABELS_FACTOR) return tooManyLabels(limits);
    length += key.length + value.length;
    if (length > longest) return tooLong(limits);
    if (!LABEL_KEY.test(key))
      return bad(`a label key must be letters, digits, _, . or - and begin with a letter or _, got ${quoted(key)}`);
    if (value === '') continue;
    if (kept.length > 0 && kept[kept.length - 1]![0] >= key) isSorted = false;
    if (PLAIN_VALUE.test(value)) kept.push(pair);
    else if (hasForbiddenCharacter(value))
      return bad(`the value of label ${quoted(key)} must not contain control characters, got ${quoted(value)}`);
    else if (!isComposable(value)) return bad(TOO_MANY_MARKS);
    else kept.push([key, value.normalize('NFC')]);
  }
  if (!isSorted) {
    kept.sort(byKey);
    for (let i = 1; i < kept.length; i++) {
      if (kept[i]![0] === kept[i - 1]![0]) return bad(`label ${quoted(kept[i]![0])} is given twice`);
    }
  }
  if (kept.length > limits.maxLabels) return tooManyLabels(limits);
  const name = renderName(normalName, kept);
  if (ID_FORM.test(name)) return bad('id:<digits> addresses a metric by number and is not a name');
  if (isLongerThan(name, limits.maxNameLength)) return tooLong(limits);
  return { name, displayName: normalName, labels: toRecord(kept) };
}

/** Canonical text of a valid name and labels. */
export function canonicalName(displayName: string, labels: Readonly<Record<string, string>>): string {
  const kept = Object.entries(labels).filter(([, value]) => value !== '');
  return renderName(displayName, kept.sort(byKey));
}

/** The name without labels. @param name in canonical form */
export function displayNameOf(name: string): string {
  const brace = name.indexOf('{');
  return brace < 0 ? name : name.slice(0, brace);
}

/** Labels of a name. @param name in canonical form */
export function labelsOf(name: string): Record<string, string> {
  const brace = name.indexOf('{');
  if (brace < 0) return {};
  const pairs = readLabelSet(name.slice(brace + 1, -1), UNLIMITED);
  if ('problem' in pairs) throw new TypeError(`${name} is not a canonical name: ${pairs.problem}`);
  return toRecord(pairs);
}

export function isNameProblem(parsed: ParsedMetricName | MetricNameProblem): parsed is MetricNameProblem {
  return 'problem' in parsed;
}

/** Converts any text to a name: every character that is not allowed becomes `_`. */
export function sanitiseName(text: string): string {
  if (!isComposable(text)) return text.replace(NOT_NAME, '_');
  return NAME.test(text) ? text.normalize('NFC') : text.normalize('NFC').replace(NOT_NAME, '_');
}

/** Converts any text to a label key: every character that is not allowed in its position becomes `_`. */
export function sanitiseLabelKey(text: string): string {
  if (LABEL_KEY.test(text)) return text;
  return text.replace(/[^A-Za-z0-9_.-]/gu, '_').replace(/^[^A-Za-z_]/, '_');
}

/** Converts any text to a label value: control characters except the line feed become `_`. */
export function sanitiseLabelValue(text: string): string {
  return text.replace(NOT_LABEL_VALUE, (found) => (found === '\n' ? found : '_'));
}

/**
 * Name and labels of a protocol with fewer restrictions than ours: everything is sanitised first. Keys that become
 * equal keep both values, joined with `;`, so that two series stay distinct. A duplicate key is a problem.
 */
export function composeSanitised(
  displayName: string,
  labels: readonly LabelPair[],
  limits: NameLimits = DEFAULT_NAME_LIMITS,
): ParsedMetricName | MetricNameProblem {
  if (labels.length > limits.maxLabels * SENT_LABELS_FACTOR) return tooManyLabels(limits);
  let length = displayName.length;
  for (const [key, value] of labels) length += key.length + value.length;
  if (length > limits.maxNameLength * MAX_SPELLING_FACTOR) return tooLong(limits);
  const name = sanitiseName(displayName);
  if (labels.every(([key]) => LABEL_KEY.test(key))) {
    return composeMetricName(name, labels.map(withCleanValue), limits);
  }
  const sanitised = new Map<string, string>();
  const given = new Set<string>();
  for (const pair of labels) {
    const [key, value] = withCleanValue(pair);
    if (given.has(key)) return bad(`label ${quoted(key)} is given twice`);
    given.add(key);
    if (value === '') continue;
    const cleanKey = sanitiseLabelKey(key);
    const before = sanitised.get(cleanKey);
    sanitised.set(cleanKey, before === undefined ? value : `${before};${value}`);
  }
  return composeMetricName(name, sanitised, limits);
}

function withCleanValue(pair: LabelPair): LabelPair {
  return PLAIN_VALUE.test(pair[1]) ? pair : [pair[0], sanitiseLabelValue(pair[1])];
}

function readLabelSet(text: string, limits: NameLimits): LabelPair[] | MetricNameProblem {
  const pairs: LabelPair[] = [];
  if (text.trim() === '') return pairs;
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const match = LABEL.exec(text);
    if (match === null) {
      if (at > 0 && text.slice(at).trim() === '') break;
      return bad(`labels must be key="value", …, got ${quoted(text.slice(at, at + 100))}`);
    }
    if (pairs.length === limits.maxLabels * SENT_LABELS_FACTOR) return tooManyLabels(limits);
    const value = unescapeValue(match[2]!);
    if (value === null) {
      return bad('a label value may escape only the backslash, the double quote and the line feed (n)');
    }
    pairs.push([match[1]!, value]);
  }
  return pairs;
}

function unescapeValue(text: string): string | null {
  if (!text.includes('\\')) return text;
  if (!/^(?:[^\\]|\\[\\"n])*$/.test(text)) return null;
  return text.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

function renderName(displayName: string, sorted: readonly LabelPair[]): string {
  if (sorted.length === 0) return displayName;
  let text = `${displayName}{`;
  for (let i = 0; i < sorted.length; i++) {
    const [key, value] = sorted[i]!;
    text += `${i === 0 ? '' : ','}${key}="${escapeValue(value)}"`;
  }
  return `${text}}`;
}

function escapeValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));
}

function toRecord(pairs: readonly LabelPair[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [key, value] of pairs) {
    // Assigning this key would set the prototype instead of creating a member.
    if (key === '__proto__') Object.defineProperty(record, key, { value, enumerable: true, writable: true });
    else record[key] = value;
  }
  return record;
}

function hasForbiddenCharacter(value: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(value) && value.search(/(?!\n)[\p{Cc}\p{Cs}]/u) >= 0;
}

function byKey(a: LabelPair, b: LabelPair): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

/** Counts code points only if the cheaper count of UTF-16 units is not sufficient. */
function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  if (text.length > maxLength * 2) return true;
  let characters = 0;
  for (const _ of text) characters++;
  return characters > maxLength;
}

/** The first character that a name may not contain. */
function firstNotAllowed(name: string): string {
  return String.fromCodePoint(name.codePointAt(name.search(NOT_NAME)) ?? 0);
}

function bad(problem: string): MetricNameProblem {
  return { problem, reason: 'bad_name' };
}

const TOO_MANY_MARKS = `a name may have at most ${MAX_MARKS_IN_A_ROW} accents and other marks in a row`;

/** The problem of a metric with too many labels. */
export function tooManyLabels(limits: NameLimits): MetricNameProblem {
  return { problem: `a metric may have at most ${limits.maxLabels} labels`, reason: 'too_many_labels' };
}

function tooLong(limits: NameLimits): MetricNameProblem {
  return bad(`a name may have at most ${limits.maxNameLength} characters`);
}
