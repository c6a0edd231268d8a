import { type Explanation } from '#libs/contracts';
import { LEVEL_OF_PART, scoreOf } from './channels.js';
import { F, NOT_THERE_WHEN_DUE, PEAK_PARTS_AT } from './layout.js';
import { PART_NAMES, type PartName } from './parts.js';
import { SEASON_NONE, SEASON_WEEKLY } from './season.js';
import { type Rarity, rarityOf } from './severity.js';

/** What an anomaly may be explained by: a part of the scores, or what needs no score. */
type Test = PartName | 'frozen_value';

/** A part is named when its score reaches this share of the strongest one's. */
const WORTH_SAYING = 0.5;

/** Reasons that are named at most. */
const MOST_REASONS = 7;

const DAY_SECONDS = 86_400;

/** Deviations further out than this many usual ones are not told apart. */
const MOST_TIMES = 1e6;

/** Reasons of the open anomaly, strongest first, from the parts at its peak; at last how rare anomalies of the series are. */
export function explain(f: Float64Array): Explanation[] {
  const parts: { test: Test; score: number }[] = PART_NAMES.map((test, index) => ({
    test,
    score: scoreAtPeak(f, index),
  }));
  if (f[F.frozen] === 1) parts.push({ test: 'frozen_value', score: f[F.score]! });
  const strongest = Math.max(...parts.map((part) => part.score));
  const items = parts
    .filter(({ score }) => score > 0 && score >= WORTH_SAYING * strongest)
    .sort((a, b) => b.score - a.score)
    .map(({ test, score }) => describe(f, test, score))
    // Two parts may say the same: the stronger one does.
    .filter((item, index, all) => all.findIndex(({ text }) => text === item.text) === index);
  // What has not come is not seen in the values that are there.
  if (f[F.offTime] === NOT_THERE_WHEN_DUE) items.splice(0, items.length, describeOffTime(f));
  else if (f[F.offTime] !== 0) items.unshift(describeOffTime(f));
  const reasons = items.length > 0 ? items.slice(0, MOST_REASONS) : [describe(f, 'deviation', f[F.score]!)];
  const slot = { observed: f[F.peakValue]!, expected: f[F.peakExpected]!, timestamp: f[F.peakAt]! };
  return [...reasons, ...explainRarity(rarityOf(f), slot)];
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

/** The part that says most at the peak of the open anomaly. */
export function strongestPart(f: Float64Array): PartName {
  return PART_NAMES.reduce((best, name, index) =>
    scoreAtPeak(f, index) > scoreAtPeak(f, PART_NAMES.indexOf(best)) ? name : best,
  );
}

const scoreAtPeak = (f: Float64Array, part: number): number => scoreOf(f[PEAK_PARTS_AT + part]!, LEVEL_OF_PART[part]!);

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

function describe(f: Float64Array, test: Test, score: number): Explanation {
  const observed = f[F.peakValue]!;
  const expected = f[F.peakExpected]!;
  const base = { test, score, observed, expected, timestamp: f[F.peakAt]! };
  const side = f[F.peakDeviation]! >= 0 ? 'above' : 'below';
  const times = number(
    Math.min(MOST_TIMES, Math.abs(f[F.peakDeviation]!) / Math.max(f[F.peakSpread]!, Number.MIN_VALUE)),
  );
  switch (test) {
    case 'step':
    case 'recent':
      return { ...base, text: `${number(observed)} is a sudden jump; ${number(expected)} was expected next.` };
    case 'deviation':
      return {
        ...base,
        text: `${number(observed)} is ${times} times the usual deviation ${side} the ${usual(f)} ${number(expected)}.`,
      };
    case 'restless':
      return {
        ...base,
        text: `The changes between successive values are unusual; the last value was ${number(observed)}.`,
      };
    case 'new_value': {
      const low = number(f[F.rangeBeforeMin]! + f[F.origin]!);
      const high = number(f[F.rangeBeforeMax]! + f[F.origin]!);
      return {
        ...base,
        text: `${number(observed)} was not seen before; values so far lay between ${low} and ${high}.`,
      };
    }
    case 'new_level':
      return { ...base, text: `The mean of the last values is at a level that was not seen before.` };
    case 'new_residual':
      return { ...base, text: `Values have stayed, for the first time, ${side} the ${usual(f)} ${number(expected)}.` };
    case 'frozen_value':
      return { ...base, text: `The value has stayed at exactly ${number(observed)} although it usually moves.` };
  }
}

function describeOffTime(f: Float64Array): Explanation {
  const observed = f[F.firstValue]!;
  const isMissing = f[F.offTime] === NOT_THERE_WHEN_DUE;
  const expected = isMissing ? f[F.dueValue]! : f[F.expected]!;
  const text = isMissing
    ? `At ${thisTime(f)} ${number(expected)} is usual, and it has not come: the value has stayed at ${number(observed)}.`
    : `${number(observed)} is usual for this series but not at ${thisTime(f)}, when ${number(expected)} is.`;
  return { test: 'time_of_day', score: f[F.score]!, observed, expected, timestamp: f[F.start]!, text };
}

function usual(f: Float64Array): string {
  if (f[F.season] === SEASON_NONE) return 'usual';
  return f[F.season] === SEASON_WEEKLY ? 'value usual at this time of the week,' : `value usual at ${thisTime(f)},`;
}

/** Where in the day a point lies, or in the series' period where that is another. */
function thisTime(f: Float64Array): string {
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
