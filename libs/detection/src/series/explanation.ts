import { type Explanation } from '#libs/contracts';
import { scoreOf } from './alarm-score.js';
import { LASTS, MISSED, STANDS_STILL, TEN_ROWS, THIRTY_ROWS } from './evidence.js';
import { kindOf } from './kind.js';
import { B, F, NOT_THERE_WHEN_DUE, P } from './layout.js';
import { SEASON_NONE, SEASON_WEEKLY } from './season.js';
import { type Rarity, rarityOf } from './severity.js';
import { type SeriesRecord } from './series-record.js';

/** Distance from all values before, in widths of their range, that has half a score. */
const NEW_LEVEL = 0.25;
/** Roughness at the peak, in usual distances, from which it is reported; it has half a score there. */
const ROUGH = 4;

const DAY_SECONDS = 86_400;

/** Deviations further out than this many usual ones are not told apart. */
const MOST_TIMES = 1e6;

/** Reasons of the open anomaly, strongest first; at last how rare anomalies of the series are. */
export function explain(record: SeriesRecord): Explanation[] {
  const { f, b } = record;
  // What a flat line is about is that it stands still, whatever else is due meanwhile.
  const offTime = kindOf(b[B.kind]!) === 'flatline' ? 0 : b[B.offTime]!;
  const ofPeak = offTime === NOT_THERE_WHEN_DUE ? [] : [describe(record), ...besides(record)];
  const items = offTime === 0 ? ofPeak : [describeOffTime(record), ...ofPeak];
  const slot = { observed: f[F.peakValue]!, expected: expectedAtPeak(record), timestamp: f[F.peakAt]! };
  return [...items, ...explainRarity(rarityOf(record), slot)];
}

/** How rare anomalies of the series are, as the last item; none while that is not known. */
export function explainRarity(
  rarity: Rarity | null,
  slot: Pick<Explanation, 'observed' | 'expected' | 'timestamp'>,
): Explanation[] {
  if (rarity === null) return [];
  const text = `An anomaly of this series is expected ${howOften(rarity.days)}${rarity.isLeast ? ' or less often' : ''}.`;
  return [{ ...slot, test: 'rarity', score: 0, text }];
}

/** The reason of a silent series; `since`: its first missing slot, Unix seconds. */
export function explainSilence(since: number, silentSeconds: number, usualSeconds: number, score: number): Explanation {
  return {
    test: 'silence',
    score,
    observed: silentSeconds,
    expected: usualSeconds,
    timestamp: since,
    text: `No data for ${duration(silentSeconds)}; points usually come every ${duration(usualSeconds)}.`,
  };
}

/** What was expected at the peak: of a jump what was before the anomaly, which the last rows have followed since. */
function expectedAtPeak({ f, b }: SeriesRecord): number {
  const isJump = b[B.peakIsSudden] === 1 && f[F.peakAt]! > f[F.start]! && Number.isFinite(f[F.expected]!);
  return isJump ? f[F.expected]! : f[F.peakValue]! - f[F.peakDeviation]!;
}

/** What the evidence at the peak is about. */
function describe(record: SeriesRecord): Explanation {
  const { f, p, b } = record;
  const observed = f[F.peakValue]!;
  const expected = expectedAtPeak(record);
  const base = { score: f[F.score]!, observed, expected, timestamp: f[F.peakAt]! };
  const side = f[F.peakDeviation]! >= 0 ? 'above' : 'below';
  if (b[B.frozen] === 1 || b[B.peakWhich] === STANDS_STILL) {
    const text = `The value has stayed at exactly ${number(observed)} although it usually moves.`;
    return { ...base, test: 'frozen_value', text };
  }
  switch (b[B.peakWhich]) {
    case LASTS:
    case TEN_ROWS:
    case THIRTY_ROWS:
      return { ...base, test: 'lasting', text: `Values have stayed ${side} the ${usual(record)} ${number(expected)}.` };
    case MISSED:
      return {
        ...base,
        test: 'time_of_day',
        text: `${number(expected)} is usual at ${thisTime(record)}, and has not come.`,
      };
  }
  if (b[B.peakIsSudden] === 1) {
    return {
      ...base,
      test: 'step',
      text: `${number(observed)} is a sudden jump; ${number(expected)} was expected.`,
    };
  }
  const times = number(
    Math.min(MOST_TIMES, Math.abs(f[F.peakDeviation]!) / Math.max(p[P.peakSpread]!, Number.MIN_VALUE)),
  );
  const text = `${number(observed)} is ${times} times the usual deviation ${side} the ${usual(record)} ${number(expected)}.`;
  return { ...base, test: 'deviation', text };
}

/** What else is unusual about the peak, each with less weight than what the evidence is about. */
function besides(record: SeriesRecord): Explanation[] {
  const { f, p } = record;
  const observed = f[F.peakValue]!;
  const base = { observed, expected: expectedAtPeak(record), timestamp: f[F.peakAt]! };
  const weighed = (size: number, half: number): number => Math.min(f[F.score]!, scoreOf(size, half));
  const items: Explanation[] = [];
  const low = f[F.rangeBeforeMin]! + f[F.origin]!;
  const high = f[F.rangeBeforeMax]! + f[F.origin]!;
  const beyond = Math.max(observed - high, low - observed);
  if (beyond > 0) {
    const text = `${number(observed)} was not seen before; values so far lay between ${number(low)} and ${number(high)}.`;
    items.push({
      ...base,
      test: 'new_value',
      score: weighed(beyond / Math.max(high - low, Number.MIN_VALUE), NEW_LEVEL),
      text,
    });
  }
  if (p[P.peakRoughness]! >= ROUGH) {
    const text = `The changes between successive values are unusually large.`;
    items.push({ ...base, test: 'restless', score: weighed(p[P.peakRoughness]!, ROUGH), text });
  }
  return items.sort((a, b) => b.score - a.score);
}

function describeOffTime(record: SeriesRecord): Explanation {
  const { f, b } = record;
  const observed = f[F.firstValue]!;
  const isMissing = b[B.offTime] === NOT_THERE_WHEN_DUE;
  const expected = isMissing ? f[F.dueValue]! : f[F.expected]!;
  const text = isMissing
    ? `At ${thisTime(record)} ${number(expected)} is usual, and it has not come: the value has stayed at ${number(observed)}.`
    : `${number(observed)} is usual for this series but not at ${thisTime(record)}, when ${number(expected)} is.`;
  return { test: 'time_of_day', score: f[F.score]!, observed, expected, timestamp: f[F.start]!, text };
}

function usual(record: SeriesRecord): string {
  const { b } = record;
  if (b[B.season] === SEASON_NONE) return 'usual';
  return b[B.season] === SEASON_WEEKLY
    ? 'value usual at this time of the week,'
    : `value usual at ${thisTime(record)},`;
}

/** Where in the day a point lies, or in the series' period where that is another. */
function thisTime({ f }: SeriesRecord): string {
  const period = f[F.period]!;
  return period === DAY_SECONDS ? 'this time of day' : `this point of its period of ${duration(period)}`;
}

function howOften(days: number): string {
  if (days < 0.75) return 'more than once a day';
  if (days < 1.5) return 'about once a day';
  if (days < 13.5) return `about once in ${number(Math.round(days))} days`;
  if (days < 56) return `about once in ${number(Math.round(days / 7))} weeks`;
  if (days < 700) return `about once in ${number(Math.round(days / 30))} months`;
  return `about once in ${number(Math.round(days / 365))} years`;
}

/** Five significant digits, without trailing zeros. */
function number(value: number): string {
  const rounded = Number(value.toPrecision(5));
  return String(Number.isFinite(rounded) ? rounded : value);
}

function duration(seconds: number): string {
  if (seconds < 120) return `${number(Math.round(seconds))} seconds`;
  if (seconds < 7200) return `${number(Math.round(seconds / 60))} minutes`;
  return `${number(Math.round(seconds / 360) / 10)} hours`;
}
