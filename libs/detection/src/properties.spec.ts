import fc from 'fast-check';
import { AGGREGATIONS, METRIC_TYPES } from '#libs/contracts';
import { detectSeries } from './detect-series.js';
import { DetectionShard } from './shard/detection-shard.js';
import { type AnomalyEvent } from './types.js';

/** Values real and absurd: constants, counts, huge, tiny, not a number. */
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
/** The rows again and again, so that verdicts begin. */
const lengthened = rows.map((some) => [...some, ...some, ...some, ...some]);

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
  for (const { score, text } of event.explanation) {
    expect(score >= 0 && score <= 1).toBe(true);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  }
  expect(event.endTimestamp === null).toBe(event.type !== 'closed');
  expect(event.closeReason === null).toBe(event.type !== 'closed');
}

describe('whatever comes', () => {
  it('detectSeries never throws and gives numbers', () => {
    fc.assert(
      fc.property(lengthened, fc.constantFrom(...METRIC_TYPES), fc.constantFrom(0, 60), (some, type, slotSeconds) => {
        let at = 1.7e9;
        const timestamps = Float64Array.from(some, ([step]) => (at += step));
        const values = Float64Array.from(some, ([, value]) => value);
        const result = detectSeries(timestamps, values, { type, slotSeconds, timezone: 'Europe/Berlin' });
        for (let i = 0; i < some.length; i++) {
          const [low, expected, high] = [result.lower[i]!, result.yhat[i]!, result.upper[i]!];
          expect(result.score[i]! >= 0 && result.score[i]! <= 1).toBe(true);
          if (!Number.isNaN(expected)) expect(low <= expected && expected <= high).toBe(true);
        }
        result.anomalies.forEach(isSound);
      }),
      { seed: 20_251_001, numRuns: 150 },
    );
  });

  it('a shard never throws, and a restored one goes on the same way', () => {
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
