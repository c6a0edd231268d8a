import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { keepSixBits, sixBitsAt } from '../record/packed-row.js';
import { periodsAt, type SeasonalPoint } from '../season/season.js';
import { coldPart, type SeriesRecord } from '../record/series-record.js';

const { RECURRENCE_AT, RECURRENCE_KINDS, RECURRENCE_NIGHTS_AT, RECURRENCE_NOW_AT, RECURRENCE_PARTS } = layout;
const { floor, log2, max, min } = Math;

/**
 * Evidence that recurs at the same time of day is not news. For each twenty minutes of the day and each kind of
 * evidence, the record contains the strength on the days before and the number of consecutive days. Strength is coded
 * in six bits per part and kind, the number of nights in half a byte per side. The evidence of this part and of the
 * part before is stored separately, with nights in the upper byte and strength in the lower one. It is added to the
 * memory when the part after next begins.
 */

const DAY_SECONDS = 86_400;
/**
 * Number of consecutive nights after which evidence at this time of day is divided by this factor times the strength of
 * those nights.
 */
const NIGHTS = 3;
const FACTOR = 2;
/** Share of recurring evidence on one side that counts on the other. */
const OTHER_SIDE = 0.5;
/**
 * Factor for missing features: one that was late once may be late again. Counts at most once a week, whatever the
 * nights in between.
 */
const NOT_THERE_FACTOR = 8;
/**
 * The remaining part of a strength after a day without it: two such days (a job that begins early or late) leave enough
 * to explain it.
 */
const LEFT_A_DAY = 0.85;
/** Evidence from which it is remembered, and share of the evidence of today that the remembered strength must reach. */
const REMEMBERED = 0.5;
const ALIKE = 0.4;
const MAX_NIGHTS = 15;
/** Strengths are coded in six bits, from a quarter on, in steps of the daily loss. */
const CODES = 64;
const STEP = -log2(LEFT_A_DAY);

const strengths = new Float64Array(CODES);
for (let code = 1; code < CODES; code++) strengths[code] = 2 ** ((code - 0.5) * STEP) / 4;

function coded(strength: number): number {
  return strength <= 0.25 ? 0 : min(CODES - 1, 1 + floor(log2(4 * strength) / STEP));
}

/** Kinds of evidence. */
export const ABOVE = 0;
export const BELOW = 1;
export const NOT_THERE = 2;

/** Enters the part of the day (or of the period of the series); call it for every point, before `lessRecurring`. */
export function enterPart(
  record: SeriesRecord,
  { timestamp, localSeconds }: Pick<SeasonalPoint, 'timestamp' | 'localSeconds'>,
): void {
  const { f, b } = record;
  const period = f[F.period]! > 0 ? f[F.period]! : DAY_SECONDS;
  const place = periodsAt(record, timestamp, localSeconds, period);
  const part = floor((place - floor(place)) * RECURRENCE_PARTS);
  if (part !== b[B.recurrencePart]) turnTo(record, part);
}

function turnTo(record: SeriesRecord, part: number): void {
  const { p, b, coldBytes, cold } = record;
  const left = b[B.recurrencePart]!;
  if (left >= 0) {
    keepPart(record, partBefore(left));
    // After a gap (or if rows are slower than parts) the previous part is not a neighbour either.
    if (left !== partBefore(part)) keepPart(record, left);
  }
  b[B.recurrencePart] = part;
  for (let kind = 0; kind < RECURRENCE_KINDS; kind++) {
    let nights = 0;
    let strength = 0;
    for (let step = RECURRENCE_PARTS - 1; step <= RECURRENCE_PARTS + 1; step++) {
      const near = (part + step) % RECURRENCE_PARTS;
      nights = max(nights, nightsOf(record, kind, near));
      strength = max(strength, sixBitsAt(coldBytes, cold + RECURRENCE_AT, kind * RECURRENCE_PARTS + near));
    }
    p[P.recurrenceAbove + kind] = nights * 256 + strength;
  }
}

function partBefore(part: number): number {
  return part === 0 ? RECURRENCE_PARTS - 1 : part - 1;
}

/** Consecutive nights of a part and side; not stored for missing features. */
function nightsOf({ coldBytes, cold }: SeriesRecord, kind: number, part: number): number {
  const both = coldBytes[cold + RECURRENCE_NIGHTS_AT + part]!;
  return kind === ABOVE ? both & 15 : kind === BELOW ? both >> 4 : 0;
}

/** Index of the evidence of today for a part: this one or the one before. */
function nowAt({ cold }: SeriesRecord, kind: number, part: number): number {
  return (cold >> 1) + RECURRENCE_NOW_AT + kind * 2 + (part & 1);
}

/** Forgets recurring evidence: from here on, parts belong to a different period. */
export function forgetRecurrence(record: SeriesRecord): void {
  const { p, b, coldHalves } = record;
  coldPart(record).fill(0, RECURRENCE_AT, RECURRENCE_NIGHTS_AT + RECURRENCE_PARTS);
  coldHalves.fill(0, nowAt(record, 0, 0), nowAt(record, RECURRENCE_KINDS, 0));
  b[B.recurrencePart] = -1;
  p.fill(0, P.recurrenceAbove, P.recurrenceMissed + 1);
}

/** Adds the evidence of a part of today to the memory. */
function keepPart(record: SeriesRecord, part: number): void {
  const { coldHalves, coldBytes, cold } = record;
  const both = cold + RECURRENCE_NIGHTS_AT + part;
  const strengthsAt = cold + RECURRENCE_AT;
  for (let kind = 0; kind < RECURRENCE_KINDS; kind++) {
    const known = kind * RECURRENCE_PARTS + part;
    const now = nowAt(record, kind, part);
    const today = coldHalves[now]!;
    const before = nightsOf(record, kind, part);
    const nights = (today & 255) > 0 ? today >> 8 : max(0, before - (before > 1 ? 2 : 1));
    const left = max(0, sixBitsAt(coldBytes, strengthsAt, known) - 1);
    keepSixBits(coldBytes, strengthsAt, known, max(left, today & 255));
    if (kind === ABOVE) coldBytes[both] = (coldBytes[both]! & 0xf0) | nights;
    else if (kind === BELOW) coldBytes[both] = (coldBytes[both]! & 15) | (nights << 4);
    coldHalves[now] = 0;
  }
}

/** Evidence less the part that recurred at this time of day on the nights before; the evidence is then remembered. */
export function lessRecurring(record: SeriesRecord, kind: number, evidence: number): number {
  const { p, b, coldHalves: h } = record;
  const known = p[P.recurrenceAbove + kind]!;
  const nights = known >> 8;
  const before = strengths[known & 255]!;
  if (evidence > REMEMBERED) {
    const today = nowAt(record, kind, b[B.recurrencePart]!);
    const isAgain = before >= ALIKE * evidence || before > 1;
    const count = max(h[today]! >> 8, isAgain ? min(MAX_NIGHTS, nights + 1) : 1);
    h[today] = (count << 8) | max(h[today]! & 255, coded(evidence));
  }
  if (kind === NOT_THERE) return before <= REMEMBERED ? evidence : evidence / max(1, NOT_THERE_FACTOR * before);
  // Recurring evidence varies: it may end below its usual value, or begin above it.
  const other = p[P.recurrenceAbove + BELOW - kind]!;
  const there = OTHER_SIDE * strengths[other & 255]!;
  return evidence / max(1, explained(nights, before), explained(other >> 8, there));
}

/** Divisor of evidence whose strength has recurred for this many nights. */
function explained(nights: number, strength: number): number {
  return nights >= NIGHTS && strength > REMEMBERED ? FACTOR * strength : 1;
}
