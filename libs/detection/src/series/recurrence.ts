import { F } from './layout.js';
import * as layout from './layout.js';
import { periodsAt, type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';

const { RECURRENCE_AT, RECURRENCE_KINDS, RECURRENCE_PARTS } = layout;
const { floor, log2, max, min } = Math;

/**
 * What comes back at the same time of day is no news: for each twenty minutes of the day and each kind of evidence, how strong the
 * evidence of the days before was, and on how many of them in a row. Two cells a part: what is known of the days before, and what
 * today has shown; each holds nights in its upper byte and the coded strength in its lower one.
 */

const DAY_SECONDS = 86_400;
/** Nights in a row after which evidence at this time of day is divided by this many times what the nights had. */
const NIGHTS = 3;
const FACTOR = 2;
/** Share of what came back to one side that counts to the other. */
const OTHER_SIDE = 0.5;
/** What was late once is late again: no more than once a week, whatever the nights between. */
const NOT_THERE_FACTOR = 8;
/** What is left of a strength after a day without it: two such days (a job that begins early or late) leave enough to explain it. */
const LEFT_A_DAY = 0.85;
/** Evidence that is remembered, and what today must resemble of it. */
const REMEMBERED = 0.5;
const ALIKE = 0.4;
const MOST_NIGHTS = 250;
/** Strengths are coded from a quarter on, 24 steps an octave. */
const PER_OCTAVE = 24;

const strengths = new Float64Array(256);
for (let code = 1; code < 256; code++) strengths[code] = 2 ** ((code - 0.5) / PER_OCTAVE) / 4;

function coded(strength: number): number {
  return strength <= 0.25 ? 0 : min(255, 1 + floor(PER_OCTAVE * log2(4 * strength)));
}

/** Kinds of evidence. */
export const ABOVE = 0;
export const BELOW = 1;
export const NOT_THERE = 2;

/** Enters the part of the day (of the series' period, if it is another); to be called for every point before `lessRecurring`. */
export function enterPart(
  record: SeriesRecord,
  { timestamp, localSeconds }: Pick<SeasonalPoint, 'timestamp' | 'localSeconds'>,
): void {
  const { f } = record;
  const period = f[F.period]! > 0 ? f[F.period]! : DAY_SECONDS;
  const place = periodsAt(f, timestamp, localSeconds, period);
  const part = floor((place - floor(place)) * RECURRENCE_PARTS);
  if (part !== f[F.recurrencePart]) turnTo(record, part);
}

function turnTo({ f, h }: SeriesRecord, part: number): void {
  f[F.recurrencePart] = part;
  for (let kind = 0; kind < RECURRENCE_KINDS; kind++) {
    turnDay(h, RECURRENCE_AT + kind * RECURRENCE_PARTS + ((part + 2) % RECURRENCE_PARTS));
    let nights = 0;
    let strength = 0;
    for (let step = RECURRENCE_PARTS - 1; step <= RECURRENCE_PARTS + 1; step++) {
      const known = h[RECURRENCE_AT + kind * RECURRENCE_PARTS + ((part + step) % RECURRENCE_PARTS)]!;
      nights = max(nights, known >> 8);
      strength = max(strength, known & 255);
    }
    f[F.recurrenceAbove + kind] = nights * 256 + strength;
  }
}

/** Forgets what came back: parts are those of another period from here on. */
export function forgetRecurrence({ f, h }: SeriesRecord): void {
  h.fill(0, RECURRENCE_AT, RECURRENCE_AT + 2 * RECURRENCE_KINDS * RECURRENCE_PARTS);
  f[F.recurrencePart] = NaN;
  f.fill(0, F.recurrenceAbove, F.recurrenceDue + 1);
}

/** Yesterday's evidence of a part that lies ahead becomes memory. */
function turnDay(h: Uint16Array, known: number): void {
  const today = known + RECURRENCE_KINDS * RECURRENCE_PARTS;
  const nightsBefore = h[known]! >> 8;
  const nights = (h[today]! & 255) > 0 ? h[today]! >> 8 : max(0, nightsBefore - (nightsBefore > 1 ? 2 : 1));
  h[known] = (nights << 8) | max(coded(strengths[h[known]! & 255]! * LEFT_A_DAY), h[today]! & 255);
  h[today] = 0;
}

/** Evidence less what has come back at this time of day on the nights before; remembers it. */
export function lessRecurring(record: SeriesRecord, kind: number, evidence: number): number {
  const { f, h } = record;
  const known = f[F.recurrenceAbove + kind]!;
  const nights = known >> 8;
  const before = strengths[known & 255]!;
  if (evidence > REMEMBERED) {
    const today = RECURRENCE_AT + (RECURRENCE_KINDS + kind) * RECURRENCE_PARTS + f[F.recurrencePart]!;
    const isAgain = before >= ALIKE * evidence || before > 1;
    const count = max(h[today]! >> 8, isAgain ? min(MOST_NIGHTS, nights + 1) : 1);
    h[today] = (count << 8) | max(h[today]! & 255, coded(evidence));
  }
  if (kind === NOT_THERE) return before <= REMEMBERED ? evidence : evidence / max(1, NOT_THERE_FACTOR * before);
  // What comes back is restless: it may end below what it was, or begin above.
  const other = f[F.recurrenceAbove + BELOW - kind]!;
  const there = OTHER_SIDE * strengths[other & 255]!;
  return evidence / max(1, explained(nights, before), explained(other >> 8, there));
}

/** What evidence is divided by where this strength has come back for so many nights. */
function explained(nights: number, strength: number): number {
  return nights >= NIGHTS && strength > REMEMBERED ? FACTOR * strength : 1;
}
