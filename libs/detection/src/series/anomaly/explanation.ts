import { type Explanation, type TextPart } from '#libs/contracts';
import { intervalText, lastingText, reasonText } from '#libs/wording';
import { scoreOf } from '../judgement/alarm-score.js';
import { LASTS, MISSED, STANDS_STILL, TEN_ROWS, THIRTY_ROWS, UNLIKE_SEASON } from '../judgement/evidence.js';
import { kindOf } from './kind.js';
import { B, F, DID_NOT_COME, P } from '../record/layout.js';
import { SEASON_NONE, SEASON_WEEKLY } from '../season/season.js';
import { usualMean, witnessSeconds } from '../judgement/season-witness.js';
import { type Rarity, rarityOf } from './severity.js';
import { type SeriesRecord } from '../record/series-record.js';

/** Distance from all earlier values, in widths of their range, that has a score of 0.5. */
const NEW_LEVEL = 0.25;
/** Roughness at the peak, in usual distances, from which it is reported; its score is 0.5 there. */
const ROUGH = 4;

/** Highest score of a constant value that is not the reason of the anomaly. */
const CONSTANT_TOO = 0.5;

const DAY_SECONDS = 86_400;

/**
 * The factor of the usual variation is reported between these: a smaller one is insignificant, and with a larger one
 * nothing varied before.
 */
const FEWEST_TIMES = 2;
const MAX_TIMES = 1000;

/** The usual values at the start of an anomaly count for this many seconds after it. */
const SAME_TIME = 3600;

/** A value is as large as the expected value if it is within this share of it. */
const LIKE = 0.35;

type Slot = Pick<Explanation, 'observed' | 'expected' | 'timestamp'>;

/** Reasons of the open anomaly, strongest first; the last one is the rarity of anomalies of the series. */
export function explain(record: SeriesRecord): Explanation[] {
  const { f, b } = record;
  // A flat line is reported as constant, even if something else is now expected.
  const offTime = kindOf(b[B.kind]!) === 'flatline' ? 0 : b[B.offTime]!;
  const ofPeak = offTime === DID_NOT_COME ? [] : [describe(record), ...besides(record)];
  const items = offTime === 0 ? ofPeak : [describeOffTime(record), ...ofPeak];
  const slot = { observed: f[F.peakValue]!, expected: expectedAtPeak(record), timestamp: f[F.peakAt]! };
  return [...items, ...explainRarity(rarityOf(record), slot)];
}

/** The rarity of anomalies of the series, as the last item; empty while it is unknown. */
export function explainRarity(rarity: Rarity | null, slot: Slot): Explanation[] {
  if (rarity === null) return [];
  const often = `${howOften(rarity.days)}${rarity.isLeast ? ' or less often' : ''}`;
  return [item('rarity', 0, slot, [`This series has an anomaly ${often}.`])];
}

/** The reason of a silent series; `since`: its first missing slot, Unix seconds. */
export function explainSilence(since: number, silentSeconds: number, usualSeconds: number, score: number): Explanation {
  const slot = { observed: silentSeconds, expected: usualSeconds, timestamp: since };
  const pace = `; a point usually comes every ${intervalText(usualSeconds)}.`;
  return item('silence', score, slot, ['No data since ', { at: since }, pace]);
}

/**
 * `text` is in UTC and without a unit, for recipients without their own settings; for readers with settings, it is
 * composed from `parts`.
 */
function item(test: string, score: number, slot: Slot, parts: readonly TextPart[]): Explanation {
  const { observed, expected, timestamp } = slot;
  return { test, score, observed, expected, timestamp, text: reasonText(parts, { unit: null, zone: 'UTC' }), parts };
}

/**
 * The value that was expected at the peak. For a jump: the value before the anomaly, because the last rows have
 * followed the series since.
 */
function expectedAtPeak({ f, b }: SeriesRecord): number {
  const isJump = b[B.peakIsSudden] === 1 && f[F.peakAt]! > f[F.start]! && Number.isFinite(f[F.expected]!);
  return isJump ? f[F.expected]! : f[F.peakValue]! - f[F.peakDeviation]!;
}

/** The reason of the evidence at the peak. */
function describe(record: SeriesRecord): Explanation {
  const { f, p, b } = record;
  const score = f[F.score]!;
  const observed = f[F.peakValue]!;
  const expected = expectedAtPeak(record);
  const slot = { observed, expected, timestamp: f[F.peakAt]! };
  const side = sideOf(record, observed);
  const value = { value: observed };
  const since = { at: f[F.start]! };
  if (isAboutConstant(record)) return item('frozen_value', score, slot, constantText(observed));
  switch (b[B.peakWhich]) {
    case LASTS:
    case TEN_ROWS:
    case THIRTY_ROWS: {
      const parts = [`it has stayed ${side} the usual `, usual(record, observed, expected), ' since ', since, '.'];
      return item('lasting', score, slot, parts);
    }
    case UNLIKE_SEASON: {
      const { lower, upper, mean } = usualMean(record, expected);
      const half = lastingText(witnessSeconds(f[F.resolution]!));
      const where = p[P.peakMean]! < 0 ? 'below' : 'above';
      const parts: TextPart[] = [
        ...['its mean over ', half, ', ', { value: mean }],
        ...[`, is ${where} the usual `, { lower, upper }, `${spaced(thisTime(record))}.`],
      ];
      return item('time_of_day', score, slot, parts);
    }
    case MISSED: {
      const time = spaced(thisTime(record));
      // A value that exceeds the expected rise is not missing: it is outside the range like any other value.
      const isMore = (observed - expected) * (expected - f[F.middle]!) > 0;
      const parts: TextPart[] = isMore
        ? [value, ` is ${side} the usual `, usual(record, observed, expected), `${time}.`]
        : ['about ', { value: expected }, ` is usual${time}, and it did not come.`];
      return item('time_of_day', score, slot, parts);
    }
  }
  const only = onlyValue(record);
  if (only !== null) {
    const parts = ['it went to ', value, ' at ', { at: f[F.peakAt]! }, '; until then it had always been ', only, '.'];
    return item(b[B.peakIsSudden] === 1 ? 'step' : 'deviation', score, slot, parts);
  }
  const reference = usual(record, observed, expected);
  if (b[B.peakIsSudden] === 1) {
    const parts = [
      observed < expected ? 'it dropped to ' : 'it jumped to ',
      value,
      ' at ',
      { at: f[F.peakAt]! },
      '; usual is ',
      reference,
      '.',
    ];
    return item('step', score, slot, parts);
  }
  const times = Math.abs(f[F.peakDeviation]!) / Math.max(p[P.peakSpread]!, Number.MIN_VALUE);
  const far = times >= FEWEST_TIMES && times < MAX_TIMES ? `, by ${wholeTimes(times)} times its usual variation` : '';
  // The usual value is that of the start: hours later it is another time of day.
  const time = f[F.peakAt]! - f[F.start]! <= SAME_TIME ? spaced(thisTime(record)) : '';
  const parts = [value, ` is ${side} the usual `, reference, `${time}${far}.`];
  return item('deviation', score, slot, parts);
}

/** True if the constant value is the reason of the anomaly, and not only what followed a value outside the range. */
function isAboutConstant({ f, b }: SeriesRecord): boolean {
  if (b[B.peakWhich] === STANDS_STILL || kindOf(b[B.kind]!) === 'flatline') return true;
  const isInside = f[F.peakValue]! >= f[F.lower]! && f[F.peakValue]! <= f[F.upper]!;
  return b[B.frozen] === 1 && isInside;
}

function constantText(value: number): TextPart[] {
  return ['it has not changed from ', { value }, ', although it usually does.'];
}

/**
 * The usual value, the same in all reasons of an anomaly and in its title: the expected range of the anomaly if the
 * value is outside of it, else the expected value.
 */
function usual({ f }: SeriesRecord, observed: number, expected: number): TextPart {
  const [lower, upper] = [f[F.lower]!, f[F.upper]!];
  if (observed < lower || observed > upper) return { lower, upper };
  return { value: expected };
}

function sideOf({ f }: SeriesRecord, observed: number): 'above' | 'below' {
  if (observed > f[F.upper]!) return 'above';
  if (observed < f[F.lower]!) return 'below';
  return f[F.peakDeviation]! >= 0 ? 'above' : 'below';
}

/** The only value of the series before; null if there were several. */
function onlyValue({ f }: SeriesRecord): TextPart | null {
  return f[F.rangeBeforeMin] === f[F.rangeBeforeMax] ? { value: f[F.rangeBeforeMin]! + f[F.origin]! } : null;
}

/** Other unusual properties of the peak, each with less weight than the reason of the evidence. */
function besides(record: SeriesRecord): Explanation[] {
  const { f, p, b } = record;
  const observed = f[F.peakValue]!;
  const slot = { observed, expected: expectedAtPeak(record), timestamp: f[F.peakAt]! };
  const weighed = (size: number, half: number): number => Math.min(f[F.score]!, scoreOf(size, half));
  const items: Explanation[] = [];
  const low = f[F.rangeBeforeMin]! + f[F.origin]!;
  const high = f[F.rangeBeforeMax]! + f[F.origin]!;
  const beyond = Math.max(observed - high, low - observed);
  if (beyond > 0 && high > low) {
    const score = weighed(beyond / Math.max(high - low, Number.MIN_VALUE), NEW_LEVEL);
    const limit = observed > high ? ['above ', { value: high }] : ['below ', { value: low }];
    items.push(item('new_value', score, slot, ['it had never been ', ...limit, ' before.']));
  }
  // A single jump is also rough: roughness is only reported if the kind is a change of variance.
  if (p[P.peakRoughness]! >= ROUGH && kindOf(b[B.kind]!) === 'variance_change') {
    const text = 'it changes far more from one point to the next than usual.';
    items.push(item('restless', weighed(p[P.peakRoughness]!, ROUGH), slot, [text]));
  }
  if (b[B.frozen] === 1 && !isAboutConstant(record)) {
    items.push(item('frozen_value', Math.min(f[F.score]!, CONSTANT_TOO), slot, constantText(observed)));
  }
  return items.sort((a, b) => b.score - a.score);
}

function describeOffTime(record: SeriesRecord): Explanation {
  const { f, b } = record;
  const observed = f[F.firstValue]!;
  const isMissing = b[B.offTime] === DID_NOT_COME;
  const expected = isMissing ? f[F.missedValue]! : f[F.expected]!;
  const slot = { observed, expected, timestamp: f[F.start]! };
  const time = spaced(thisTime(record));
  if (!isMissing) {
    const parts = [{ value: observed }, ` is not usual${time}, when it is about `, { value: expected }, '.'];
    return item('time_of_day', f[F.score]!, slot, parts);
  }
  const missing: TextPart[] = ['about ', { value: expected }, ` is usual${time}; it did not come`];
  // The first value may be as large as the missing one, and then says nothing about the current value.
  const isLike = Math.abs(observed - expected) < LIKE * Math.abs(expected);
  const parts: TextPart[] = isLike
    ? [...missing, '.']
    : [...missing, ', the value stayed at ', { value: observed }, '.'];
  return item('time_of_day', f[F.score]!, slot, parts);
}

const spaced = (text: string): string => (text === '' ? '' : ` ${text}`);

/**
 * `at this time` or a similar phrase if the expected value depends on the time: of the day, of the week, or of the
 * period of the series. Daily rows have no time of day.
 */
function thisTime({ f, b }: SeriesRecord): string {
  const isOfDays = f[F.resolution]! >= DAY_SECONDS;
  if (b[B.season] === SEASON_WEEKLY) return isOfDays ? 'on this day of the week' : 'at this time of the week';
  if (b[B.season] === SEASON_NONE && b[B.offTime] === 0) return '';
  const period = f[F.period]!;
  if (period !== DAY_SECONDS) return `at this point of its period of ${lastingText(period)}`;
  return isOfDays ? '' : 'at this time of day';
}

/** `12`; from a hundred on, a multiple of ten, because the value is not known more precisely. */
const wholeTimes = (times: number): string => String(times < 100 ? Math.round(times) : 10 * Math.round(times / 10));

function howOften(days: number): string {
  if (days < 0.75) return 'more than once a day';
  if (days < 1.5) return 'about once a day';
  if (days < 13.5) return `about once in ${String(Math.round(days))} days`;
  if (days < 56) return `about once in ${String(Math.round(days / 7))} weeks`;
  if (days < 700) return `about once in ${String(Math.round(days / 30))} months`;
  return `about once in ${String(Math.round(days / 365))} years`;
}
