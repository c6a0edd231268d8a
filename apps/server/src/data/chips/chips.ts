import { type DetailCode, isComposable } from '#libs/contracts';
import { characters, normalised, TOO_MANY_MARKS } from '../../common/validation/param-text.js';

/** The part of a metric that a chip examines: the canonical name, a label, or a member of the metric record. */
export type ChipSubject =
  { on: 'name' } | { on: 'label'; key: string } | { on: 'member'; member: (typeof CHIP_MEMBERS)[number] };

/** One search token. A list of them selects the metrics for which all hold; matching ignores case. */
export interface Chip {
  /** As typed, trimmed: stored in records. */
  text: string;
  negated: boolean;
  subject: ChipSubject;
  /** `contains`: the first part occurs anywhere. `whole`: the parts in order, with anything between them, are all of it. */
  match: 'contains' | 'whole';
  /** Literal texts around the `*` of a pattern; a single part is a text without `*`. */
  parts: string[];
}

/** The parts of a metric that chips examine. */
export interface ChipTarget {
  name: string;
  labels: Readonly<Record<string, string>>;
  source: string;
  type: string;
  state: string;
}

const CHIP_MEMBERS = ['name', 'source', 'type', 'state'] as const;
export const MAX_CHIPS = 20;
export const MAX_CHIP_CHARACTERS = 200;
const MAX_CHIPS_CHARACTERS = 2000;

/** Thrown by the parser. `says` is the predicate of a sentence. */
export class BadChipsError extends Error {
  constructor(
    readonly code: DetailCode,
    readonly says: string,
  ) {
    super(`chips ${says}`);
    this.name = 'BadChipsError';
  }
}

const PAIR = /^(@?[A-Za-z_][A-Za-z0-9_.-]*):(.+)$/su;
/** Also with `=`, the form in which metrics show their labels. */
const PARTIAL_LABEL_CHIP = /^([A-Za-z_][A-Za-z0-9_.-]*)[:=](.*)$/su;
/** Members with few distinct values. A name is completed as text instead. */
const PARTIAL_MEMBER_CHIP = /^@(source|type|state):(.*)$/su;
const QUOTED = /^"((?:[^"\\]|\\[\\"])*)"$/su;

/**
 * Reads a chip list: one text with commas, or an array in which each element is one chip.
 * @throws BadChipsError
 */
export function parseChips(list: string | readonly string[]): Chip[] {
  const texts = typeof list === 'string' ? splitChips(list) : list.map((chip) => normalised(chip));
  const unique = [...new Set(texts)];
  if (unique.length === 0) throw new BadChipsError('required', 'must have at least one chip');
  if (unique.length > MAX_CHIPS) {
    throw new BadChipsError('too_many', `must be at most ${String(MAX_CHIPS)}, got ${String(unique.length)}`);
  }
  const total = unique.reduce((sum, text) => sum + characters(text), 0);
  if (total > MAX_CHIPS_CHARACTERS) {
    throw new BadChipsError('too_long', `must have at most ${String(MAX_CHIPS_CHARACTERS)} characters in all`);
  }
  return unique.map(parseChip);
}

/** Reads one chip; commas need no quotes. @throws BadChipsError */
export function parseChip(typed: string): Chip {
  const text = normalised(typed);
  if (!isComposable(text)) throw new BadChipsError('bad_chip', TOO_MANY_MARKS);
  if (characters(text) > MAX_CHIP_CHARACTERS) {
    throw new BadChipsError('too_long', `must have at most ${String(MAX_CHIP_CHARACTERS)} characters each`);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw bad(text, 'it contains control characters or single surrogates');
  const negated = text.startsWith('-');
  const body = negated ? text.slice(1) : text;
  if (body === '') throw bad(text, 'it is empty');
  const pair = body.startsWith('"') ? null : PAIR.exec(body);
  if (pair === null) return { text, negated, subject: { on: 'name' }, ...valueOf(text, body, 'contains') };
  const [, key = '', value = ''] = pair;
  return { text, negated, subject: subjectOf(text, key), ...valueOf(text, value, 'whole') };
}

/** A text as a chip on the name, even if it looks like another kind of chip. Only `*` is special. */
export function textChip(text: string): Chip {
  const parts = patternParts(text);
  return { text, negated: false, subject: { on: 'name' }, match: parts.length > 1 ? 'whole' : 'contains', parts };
}

/** A chip on a label while it is being typed. */
export interface PartialLabelChip {
  /** Up to the first `*`. */
  typed: string;
  /** A chip on the name that all metrics with this label match. */
  holds: Chip;
}

/**
 * Reads the beginning of a chip on a label, `job:`, `job:sh` or `job=sh`; null for any other text. Its quotes need not
 * be closed.
 */
export function parsePartialLabelChip(text: string): PartialLabelChip | null {
  const [, key = '', value = ''] = PARTIAL_LABEL_CHIP.exec(text) ?? [];
  if (key === '') return null;
  const isQuoted = value.startsWith('"');
  const beginning = isQuoted ? value : value.split('*', 1)[0]!;
  const part = `${key}=${isQuoted ? beginning : `"${beginning.replace(/[\\"]/g, '\\$&')}`}`;
  const holds: Chip = { text: part, negated: false, subject: { on: 'name' }, match: 'contains', parts: [part] };
  return { typed: `${key}:${beginning}`, holds };
}

/** A chip on a member of the metric record while it is being typed. */
export interface PartialMemberChip {
  member: 'source' | 'type' | 'state';
  /** The common prefix of its values, in lower case. */
  beginning: string;
}

/** Reads `@source:`, `@source:pro` and the like; null for any other text. Its quotes need not be closed. */
export function parsePartialMemberChip(text: string): PartialMemberChip | null {
  const [, member, value = ''] = PARTIAL_MEMBER_CHIP.exec(text) ?? [];
  if (member === undefined) return null;
  const beginning = value.startsWith('"') ? value.replaceAll('"', '') : value.split('*', 1)[0]!;
  return { member: member as PartialMemberChip['member'], beginning: foldCase(beginning) };
}

/** The chip as canonical text, which parses to the same chip; not the typed text. */
export function serialiseChip(chip: Chip): string {
  const key =
    chip.subject.on === 'label' ? chip.subject.key : `@${chip.subject.on === 'member' ? chip.subject.member : ''}`;
  const prefix = chip.subject.on === 'name' ? '' : `${key}:`;
  const bare = chip.parts.join('*');
  const isBare = chip.parts.length > 1 || isPlainText(bare, chip.subject.on === 'name');
  const value = isBare ? bare : `"${bare.replace(/[\\"]/g, '\\$&')}"`;
  return `${chip.negated ? '-' : ''}${prefix}${value}`;
}

/** True if the metric satisfies every chip. */
export function matchesChips(chips: readonly Chip[], metric: ChipTarget): boolean {
  return chips.every((chip) => holds(chip, metric) !== chip.negated);
}

/** @throws BadChipsError if every chip is negated or has fewer than two characters other than "*" */
export function requireBroadChips(chips: readonly Chip[]): void {
  const narrows = chips.some(({ negated, subject, parts }) => {
    const key = subject.on === 'label' ? subject.key.length : 0;
    return !negated && key + characters(parts.join('')) >= 2;
  });
  if (!narrows) {
    throw new BadChipsError('too_broad', 'need at least one chip without "-" that has two characters other than "*"');
  }
}

/** Folds case so that equality matches the comparison of the database. The number of characters stays the same. */
export function foldCase(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    folded += characters(lower) === 1 ? lower : character;
  }
  return folded;
}

function splitChips(list: string): string[] {
  const chips: string[] = [];
  let start = 0;
  let quoted = false;
  const text = `${normalised(list)},`;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (quoted && character === '\\') i++;
    else if (character === '"') quoted = !quoted;
    else if (character === ',' && (!quoted || i === text.length - 1)) {
      chips.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (start < text.length) chips.push(text.slice(start, -1).trim());
  return chips.filter((chip) => chip !== '');
}

function subjectOf(text: string, key: string): ChipSubject {
  if (!key.startsWith('@')) return { on: 'label', key };
  const member = CHIP_MEMBERS.find((name) => name === key.slice(1).toLowerCase());
  if (member === undefined) {
    throw bad(text, `${key} is not one of ${CHIP_MEMBERS.map((name) => `@${name}`).join(', ')}`);
  }
  return { on: 'member', member };
}

function valueOf(text: string, value: string, unquotedMatch: Chip['match']): Pick<Chip, 'match' | 'parts'> {
  if (value.startsWith('"')) {
    const quoted = QUOTED.exec(value)?.[1];
    if (quoted === undefined) throw bad(text, 'the quotes are not closed, or something follows them');
    return { match: unquotedMatch, parts: [quoted.replace(/\\([\\"])/g, '$1')] };
  }
  if (value.includes('"')) throw bad(text, 'a text that contains quotes must be quoted');
  const parts = patternParts(value);
  return { match: parts.length > 1 ? 'whole' : unquotedMatch, parts };
}

/** Literal texts around the `*` of a text; several `*` in a row are one. */
function patternParts(text: string): string[] {
  return text.split(/\*+/);
}

function isPlainText(text: string, onName: boolean): boolean {
  if (text === '' || /[",*]/.test(text) || text !== text.trim()) return false;
  return !onName || !(text.startsWith('-') || PAIR.test(text));
}

function holds(chip: Chip, metric: ChipTarget): boolean {
  return textsOf(chip.subject, metric).some((text) =>
    chip.match === 'contains'
      ? foldCase(text).includes(foldCase(chip.parts[0] ?? ''))
      : consistsOf(foldCase(text), chip.parts.map(foldCase)),
  );
}

/** The texts that a chip examines. If the keys of several labels differ only in case, the values of all of them. */
function textsOf(subject: ChipSubject, metric: ChipTarget): string[] {
  if (subject.on === 'name') return [metric.name];
  if (subject.on === 'member') return [metric[subject.member]];
  const key = foldCase(subject.key);
  return Object.entries(metric.labels).flatMap(([label, value]) => (foldCase(label) === key ? [value] : []));
}

/**
 * True if the whole text consists of the parts, in order, with anything between them. Matching each part as early as
 * possible is sufficient.
 */
function consistsOf(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === first;
  const last = parts[parts.length - 1] ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}

function bad(text: string, why: string): BadChipsError {
  return new BadChipsError('bad_chip', `contain an invalid chip ${JSON.stringify(text)}: ${why}`);
}
