import fc from 'fast-check';
import { AGGREGATIONS, METRIC_TYPES } from '#libs/contracts';
import { detectSeries } from './detect-series.js';
import { scoreSeries } from './scores/score-series.js';
import { DetectionShard } from './shard/detection-shard.js';
import { differenceOfEvents, unsoundIn } from './testing/columns.js';
import { normal } from './testing/generators.js';
import { type AnomalyEvent } from './types.js';

/** Realistic and extreme values: constants, counts, huge and tiny numbers, NaN. */
const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e12, -1e300, Number.MAX_VALUE, Number.MIN_VALUE, NaN) },
);
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.constant(60) },
  fc.double({ min: -400, max: 5000, noNaN: true }),
  fc.constantFrom(0, 86_400, 1e6),
);
const rows = fc.array(fc.tuple(anyStep, anyValue), { minLength: 0, maxLength: 120 });
/** The rows repeated, so that there are verdicts. */
const lengthened = rows.map((some) => [...some, ...some, ...some, ...some]);

/** A few values between which a series may jump: numbers of every size, their neighbours, and NaN. */
const palette = fc.array(
  fc.oneof(
    fc.constantFrom(0, -0, 1, 5e-324, 1e-320, 2e-308, 1e-160, 1e-40, 1e-9, 1e12, 1e36, 4e38, 1e160, 1e300),
    fc.constantFrom(Number.MAX_VALUE, Number.EPSILON, 2 ** 31 - 1, 2 ** 53, NaN, Infinity),
    fc.double(),
    fc.integer({ min: -3, max: 3 }),
  ),
  { minLength: 1, maxLength: 6 },
);
/** How values follow each other: alternating, in long runs, as steps of a sum, as noise of their size. */
const manner = fc.constantFrom('turn', 'runs', 'sum', 'noise');
const hostileValues = fc
  .tuple(palette, manner, fc.integer({ min: 120, max: 700 }), fc.integer(), fc.boolean())
  .map(([values, how, length, seed, alternating]) => {
    const noise = normal(seed);
    let sum = 0;
    return Float64Array.from({ length }, (_, row) => {
      const value = values[(how === 'runs' ? Math.floor(row / 90) : row) % values.length]!;
      const signed = alternating && row % 2 === 1 ? -value : value;
      if (how === 'noise') return signed * noise();
      return how === 'sum' ? (sum += signed) : signed;
    });
  });

function isSound(event: AnomalyEvent): void {
  for (const number of [event.startTimestamp, event.peakTimestamp, event.score, event.severity]) {
    expect(Number.isFinite(number)).toBe(true);
  }
  for (const number of [event.value, event.peakValue, event.expected, event.lower, event.upper]) {
    expect(number === null || Number.isFinite(number)).toBe(true);
  }
  expect(event.score).toBeGreaterThanOrEqual(0.5);
  expect(event.score).toBeLessThanOrEqual(1);
  expect(event.severity).toBeGreaterThanOrEqual(0);
  expect(event.severity).toBeLessThanOrEqual(100);
  expect(event.explanation.length).toBeGreaterThanOrEqual(1);
  expect(event.explanation.length).toBeLessThanOrEqual(10);
  const { kind, peakValue, lower, upper } = event;
  // A peak within the expected range is not a spike.
  if (kind === 'spike') expect(peakValue).toBeGreaterThan(upper!);
  if (kind === 'dip') expect(peakValue).toBeLessThan(lower!);
  for (const { score, text, observed, timestamp } of event.explanation) {
    expect([event.startTimestamp, event.peakTimestamp]).toContain(timestamp);
    if (event.value !== null) expect(observed).toBe(timestamp === event.peakTimestamp ? peakValue : event.value);
    expect(score >= 0 && score <= 1).toBe(true);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  }
  expect(event.endTimestamp === null).toBe(event.type !== 'closed');
  expect(event.closeReason === null).toBe(event.type !== 'closed');
}

describe('with random input', () => {
  it('scoreSeries never throws and returns valid scores, ranges and events', () => {
    fc.assert(
      fc.property(lengthened, fc.constantFrom(...METRIC_TYPES), fc.constantFrom(0, 60), (some, type, slotSeconds) => {
        let at = 1.7e9;
        const timestamps = Float64Array.from(some, ([step]) => (at += step));
        const values = Float64Array.from(some, ([, value]) => value);
        const result = scoreSeries(timestamps, values, { type, slotSeconds, timezone: 'Europe/Berlin' });
        for (let i = 0; i < some.length; i++) {
          const [low, expected, high] = [result.lower[i]!, result.yhat[i]!, result.upper[i]!];
          for (const score of [result.score[i]!, result.novelty[i]!, result.spike[i]!]) {
            expect(score >= 0 && score <= 1).toBe(true);
          }
          if (!Number.isNaN(expected)) expect(low <= expected && expected <= high).toBe(true);
        }
        result.anomalies.forEach(isSound);
      }),
      { seed: 20_251_001, numRuns: 150 },
    );
  });

  it('scoreSeries returns sound verdicts and parts for values of any size, at any interval and period', () => {
    const pace = fc.constantFrom(0.01, 1, 60, 3600, 86_400, 1e6);
    const period = fc.constantFrom(undefined, 0, 60, 3600, 30_000, 7e5);
    fc.assert(
      fc.property(hostileValues, pace, period, (values, step, periodSeconds) => {
        const timestamps = values.map((_, row) => 1.7e9 + row * step);
        const verdicts = scoreSeries(timestamps, values, {
          type: 'gauge',
          withParts: true,
          ...(periodSeconds === undefined ? {} : { periodSeconds }),
        });
        // NaN rows do not count towards the warm-up, and a series that began with an extreme value warms up again.
        const finite = [...values.keys()].filter((row) => Number.isFinite(values[row]!));
        const trouble = unsoundIn({ timestamps, values }, verdicts, finite[200] ?? values.length);
        expect(trouble).toBeUndefined();
        const parts = verdicts.parts!.map((column) => column.every((part) => part >= 0));
        expect(parts).toEqual(verdicts.parts!.map(() => true));
        verdicts.anomalies.forEach(isSound);
      }),
      { seed: 20_251_003, numRuns: 400 },
    );
  });

  it('a shard reports the same events as detectSeries, for inputs of any size', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    const cuts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(hostileValues, minutes, cuts, fc.constantFrom(...METRIC_TYPES), (some, gaps, sizes, type) => {
        const values = some.filter(Number.isFinite);
        let at = 1.7e9 - (1.7e9 % 60);
        // Mostly a point a minute, with a gap every 50 points.
        const timestamps = values.map((_, row) => (at += 60 * (row % 50 === 49 ? gaps[row % gaps.length]! : 1)));
        const stored = detectSeries(timestamps, values, { type, slotSeconds: 60, seriesId: 1 });
        const shard = new DetectionShard();
        shard.define({ id: 1, type, aggregation: 'last', slotSeconds: 60, timezone: 'UTC' });
        const events: AnomalyEvent[] = [];
        for (let from = 0, part = 0; from < values.length; part++) {
          const until = Math.min(values.length, from + sizes[part % sizes.length]!);
          const ids = new Uint32Array(until - from).fill(1);
          const input = { kind: 'live' as const, now: timestamps[until - 1]!, ids };
          const { events: some } = shard.apply({
            ...input,
            timestamps: timestamps.slice(from, until),
            values: values.slice(from, until),
          });
          events.push(...some);
          from = until;
        }
        expect(differenceOfEvents(events, stored.anomalies)).toBeUndefined();
      }),
      { seed: 20_251_004, numRuns: 150 },
    );
  });

  it('a shard never throws, and a restored shard returns the same output', () => {
    fc.assert(
      fc.property(
        lengthened,
        fc.constantFrom(...METRIC_TYPES),
        fc.constantFrom(...AGGREGATIONS),
        (some, type, aggregation) => {
          let shard = new DetectionShard();
          let twin = new DetectionShard();
          for (const one of [shard, twin]) one.define({ id: 1, type, aggregation, slotSeconds: 60, timezone: 'UTC' });
          let now = 1.7e9;
          for (let i = 0; i < some.length; i += 60) {
            const part = some.slice(i, i + 60);
            const timestamps = Float64Array.from(part, ([step]) => (now += step));
            const values = Float64Array.from(part, ([, value]) => value);
            const input = { kind: 'live' as const, now, ids: new Uint32Array(part.length).fill(1), timestamps, values };
            const output = shard.apply(input);
            output.events.forEach(isSound);
            expect(twin.apply(input)).toEqual(output);
            const quiet = { ...input, kind: 'tick' as const, now: now + 2000, ids: new Uint32Array(0) };
            const ticked = { ...quiet, timestamps: new Float64Array(0), values: new Float64Array(0) };
            const silent = shard.apply(ticked);
            silent.events.forEach(isSound);
            expect(twin.apply(ticked)).toEqual(silent);
            twin = DetectionShard.restore(shard.snapshot());
            [shard, twin] = [twin, shard];
          }
        },
      ),
      { seed: 20_251_002, numRuns: 60 },
    );
  });
});
