import { type Explanation } from '#libs/contracts';
import { F, PEAK_EVIDENCE_AT } from './layout.js';
import { type Test, TESTS } from './measurement.js';
import { SEASON_NONE, SEASON_WEEKLY } from './season.js';
import { scoreOf } from './severity.js';

/** A test is named when its evidence reaches this share of the strongest one's. */
const WORTH_SAYING = 0.4;

/** Reasons of the open anomaly, strongest first, from the evidence at its peak. */
export function explain(f: Float64Array, threshold: number): Explanation[] {
  const evidence = TESTS.map((test, index) => ({ test, evidence: f[PEAK_EVIDENCE_AT + index]! }));
  const strongest = Math.max(...evidence.map((item) => item.evidence));
  const items = evidence
    .filter((item) => item.evidence > 0 && item.evidence >= WORTH_SAYING * strongest)
    .sort((a, b) => b.evidence - a.evidence)
    .map((item) => describe(f, item.test, scoreOf(item.evidence, threshold)));
  if (f[F.offTime] === 1) items.unshift(describeOffTime(f));
  return items.length > 0 ? items : [describe(f, 'deviation', f[F.score]!)];
}

/** The reason of a silent series. */
export function explainSilence(silentSeconds: number, usualSeconds: number, score: number): Explanation {
  return {
    test: 'silence',
    score,
    observed: silentSeconds,
    expected: usualSeconds,
    text: `No data for ${duration(silentSeconds)}; points usually come every ${duration(usualSeconds)}.`,
  };
}

function describe(f: Float64Array, test: Test, score: number): Explanation {
  const observed = f[F.peakValue]!;
  const expected = f[F.peakExpected]!;
  const base = { test, score, observed, expected };
  const side = f[F.peakDeviation]! >= 0 ? 'above' : 'below';
  const times = number(Math.abs(f[F.peakDeviation]!) / Math.max(f[F.peakSpread]!, Number.MIN_VALUE));
  switch (test) {
    case 'sudden_change':
      return { ...base, text: `${number(observed)} is a sudden jump; ${number(expected)} was expected next.` };
    case 'deviation':
      return {
        ...base,
        text: `${number(observed)} is ${times} times the usual deviation ${side} the ${usual(f)} ${number(expected)}.`,
      };
    case 'sustained_shift':
      return { ...base, text: `Values have stayed ${side} the ${usual(f)} ${number(expected)} for a while.` };
    case 'spread':
      return { ...base, text: `Values vary in another way than usual: the last was ${number(observed)}.` };
    case 'new_value': {
      const low = number(f[F.rangeBeforeMin]! + f[F.origin]!);
      const high = number(f[F.rangeBeforeMax]! + f[F.origin]!);
      return {
        ...base,
        text: `${number(observed)} was not seen before; values so far lay between ${low} and ${high}.`,
      };
    }
    case 'new_range': {
      const low = number(f[F.rangeLow]! + f[F.origin]!);
      const high = number(f[F.rangeHigh]! + f[F.origin]!);
      return { ...base, text: `Values have moved out of the range they kept to, ${low} to ${high}.` };
    }
    case 'frozen_value':
      return { ...base, text: `The value has stayed at exactly ${number(observed)} although it usually moves.` };
  }
}

function describeOffTime(f: Float64Array): Explanation {
  const observed = f[F.firstValue]!;
  const expected = f[F.expected]!;
  return {
    test: 'time_of_day',
    score: f[F.score]!,
    observed,
    expected,
    text: `${number(observed)} is usual for this series but not at this time of day, when ${number(expected)} is.`,
  };
}

function usual(f: Float64Array): string {
  if (f[F.season] === SEASON_NONE) return 'usual';
  return f[F.season] === SEASON_WEEKLY ? 'value usual at this time of the week,' : 'value usual at this time of day,';
}

/** Five significant digits, without trailing zeros. */
function number(value: number): string {
  return String(Number(value.toPrecision(5)));
}

function duration(seconds: number): string {
  if (seconds < 120) return `${number(Math.round(seconds))} seconds`;
  if (seconds < 7200) return `${number(Math.round(seconds / 60))} minutes`;
  return `${number(Math.round(seconds / 360) / 10)} hours`;
}
