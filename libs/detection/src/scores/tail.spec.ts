import { normal, uniform } from '../testing/generators.js';
import { copyScoreRecord, createScoreRecord, type ScoreRecord, STREAM_STEP, STREAMS } from './score-record.js';
import { MAX_SURPRISE, Tails } from './tail.js';

/** Fewer values than the number after which a tail halves its counts. */
const DRAWS = 15_000;

const tails = new Tails();

/** Surprise of a value, which is then learnt. */
function tailSurprise(record: ScoreRecord, stream: number, value: number, floor: number): number {
  tails.floor = floor;
  tails.values[stream] = value;
  tails.take(record, stream);
  return tails.surprises[stream]!;
}

function teach(record: ScoreRecord, count: number, next: (index: number) => number, floor = 0): ScoreRecord {
  for (let i = 0; i < count; i++) tailSurprise(record, STREAM_STEP, next(i), floor);
  return record;
}

const taught = (count: number, next: (index: number) => number, floor = 0): ScoreRecord =>
  teach(createScoreRecord(), count, next, floor);

/** Surprise of one more value, on a copy. */
function ask(record: ScoreRecord, value: number): number {
  const copy = createScoreRecord();
  copyScoreRecord(copy, record);
  return tailSurprise(copy, STREAM_STEP, value, 0);
}

interface Law {
  draw: (seed: number) => () => number;
  /** Size that is exceeded, on the upper side, with this probability. */
  exceeded: (probability: number) => number;
}

// Normal quantiles: scipy.stats.norm.isf of the probabilities.
const NORMAL: Record<number, number> = {
  0.3: 0.524401,
  0.1: 1.281552,
  0.05: 1.644854,
  0.01: 2.326348,
  0.003: 2.747781,
  0.001: 3.090232,
  1e-5: 4.264891,
  1e-7: 5.199338,
  1e-9: 5.997807,
  1e-12: 7.034484,
};

const LAWS: [string, Law][] = [
  [
    'uniform',
    {
      draw: (seed) => {
        const next = uniform(seed);
        return () => 2 * next() - 1;
      },
      exceeded: (probability) => 1 - 2 * probability,
    },
  ],
  [
    'exponential',
    {
      draw: (seed) => {
        const next = uniform(seed);
        return () => -Math.log(1 - next()) * (next() < 0.5 ? 1 : -1);
      },
      exceeded: (probability) => -Math.log(2 * probability),
    },
  ],
  ['normal', { draw: normal, exceeded: (probability) => NORMAL[probability]! }],
];

describe.each(LAWS)('tail of a %s distribution', (_, { draw, exceeded }) => {
  const record = taught(DRAWS, draw(1));

  it.each([0.1, 0.05])('returns the rarity of a value that a share of %d exceeds', (probability) => {
    for (const sign of [1, -1]) {
      const surprise = ask(record, sign * exceeded(probability));
      expect(Math.abs(surprise + Math.log10(probability))).toBeLessThan(0.2);
    }
  });

  it('does not overestimate the rarity of common and extreme values, and keeps increasing', () => {
    const probabilities = [0.3, 0.1, 0.01, 0.003, 0.001, 1e-5, 1e-7, 1e-9, 1e-12];
    for (const sign of [1, -1]) {
      const surprises = probabilities.map((probability) => ask(record, sign * exceeded(probability)));
      surprises.forEach((surprise, i) => expect(surprise).toBeLessThan(0.15 - Math.log10(probabilities[i]!)));
      expect([...surprises].sort((a, b) => a - b)).toEqual(surprises);
      expect(surprises[3]).toBeGreaterThan(1.8);
    }
  });

  it('is stable over time', () => {
    const old = taught(5 * DRAWS, draw(2));
    for (const probability of [0.1, 0.05]) {
      expect(Math.abs(ask(old, exceeded(probability)) + Math.log10(probability))).toBeLessThan(0.2);
    }
    expect(Math.abs(ask(old, exceeded(0.001)) - ask(record, exceeded(0.001)))).toBeLessThan(0.5);
  });
});

describe('tail', () => {
  it('increases with the size, up to a maximum', () => {
    const record = taught(DRAWS, normal(3));
    for (const sign of [1, -1]) {
      const surprises = Array.from({ length: 400 }, (_, i) => ask(record, sign * 1e-3 * 1.1 ** i));
      surprises.slice(1).forEach((one, i) => expect(one).toBeGreaterThanOrEqual(surprises[i]! - 1e-9));
      expect(surprises[0]).toBeGreaterThanOrEqual(0);
      expect(surprises.at(-1)).toBe(MAX_SURPRISE);
    }
  });

  it('returns 0 before it has learnt, and less with few values', () => {
    expect(ask(createScoreRecord(), 1e6)).toBe(0);
    expect(
      ask(
        taught(20, () => 1),
        1e6,
      ),
    ).toBe(0);
    const far = 8;
    expect(ask(taught(100, normal(4)), far)).toBeLessThan(ask(taught(DRAWS, normal(4)), far));
  });

  it('keeps its sides independent', () => {
    const next = normal(5);
    const record = taught(5000, (i) => (i % 50 === 0 ? 30 : next()));
    expect(ask(record, 30)).toBeLessThan(2.5);
    expect(ask(record, -30)).toBeGreaterThan(4);
  });

  it('keeps its streams independent', () => {
    const streams = Array.from({ length: STREAMS }, (_, stream) => stream);
    const values = streams.map((stream) => Array.from({ length: 1000 }, normal(6 + stream)));
    const alone = streams.map((stream, s) => {
      const record = createScoreRecord();
      return values[s]!.map((value) => tailSurprise(record, stream, value, 0));
    });
    const record = createScoreRecord();
    const together = streams.map(() => [] as number[]);
    for (let row = 0; row < 1000; row++) {
      streams.forEach((stream, s) => together[s]!.push(tailSurprise(record, stream, values[s]![row]!, 0)));
    }
    expect(together).toEqual(alone);
  });

  it('forgets old values: a new habit becomes common, an old one rare', () => {
    const next = normal(7);
    const record = taught(20_000, (i) => (i % 20 === 0 ? 12 : next()));
    const before = ask(record, 12);
    expect(before).toBeLessThan(2.5);
    teach(record, 90_000, (i) => (i % 20 === 0 ? -12 : next()));
    expect(ask(record, 12)).toBeGreaterThan(before + 1);
    expect(ask(record, -12)).toBeLessThan(2.5);
  });

  it.each([300, 1e4, 1e7])('adapts to a series that becomes %d times as large', (factor) => {
    const next = normal(8);
    const record = taught(2000, () => next());
    expect(ask(record, factor)).toBeGreaterThan(3);
    teach(record, DRAWS, () => factor * next());
    expect(ask(record, factor)).toBeLessThan(1.5);
    expect(ask(record, 3 * factor)).toBeGreaterThan(2.2);
    expect(ask(record, -12 * factor)).toBeGreaterThan(4);
  });

  it.each([100, 3000, 1e6])(
    'still distinguishes ordinary sizes when a value %d times as large occurs sometimes',
    (size) => {
      const next = normal(9);
      const record = taught(10 * DRAWS, (i) => (i % 4000 === 3999 ? size : next()));
      expect(ask(record, 1)).toBeLessThan(1.2);
      expect(ask(record, 3)).toBeGreaterThan(1.5);
      expect(ask(record, -12)).toBeGreaterThan(4);
    },
  );

  it.each([50, 500, 20_000])('learns a series that begins with %d zeros', (zeros) => {
    const next = normal(10);
    const record = taught(zeros, () => 0);
    expect(ask(record, 0)).toBe(0);
    teach(record, DRAWS, () => next());
    expect(ask(record, 1)).toBeLessThan(1.7);
    expect(ask(record, 3)).toBeGreaterThan(2.2);
    expect(ask(record, 3)).toBeLessThan(4.2);
    expect(ask(record, -30)).toBeGreaterThan(4);
  });

  it('treats sizes below the floor as small', () => {
    const next = normal(11);
    const calm = taught(2000, () => 1e-6 * next(), 1);
    expect(ask(calm, 1e-5)).toBeLessThan(1.5);
    expect(ask(calm, 20)).toBeGreaterThan(3);
  });

  it.each([2 ** 40, 2 ** -30, -1])('returns the same for a series times %d', (factor) => {
    const values = Array.from({ length: 5000 }, normal(12));
    const surprises = (of: number[]): number[] => {
      const record = createScoreRecord();
      return of.map((value) => tailSurprise(record, STREAM_STEP, value, 0));
    };
    expect(surprises(values.map((value) => factor * value))).toEqual(surprises(values));
  });
});
