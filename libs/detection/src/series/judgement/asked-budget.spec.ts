import { detectSeries } from '../../detect-series.js';
import { series, uniform, white } from '../../testing/generators.js';
import { opened } from '../../testing/verdicts.js';
import { barOfBudget, chanceLevel, learnChance } from './asked-budget.js';
import { F } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from '../record/series-record.js';

const MINUTES_A_DAY = 1440;
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed + 1);

/** Converts a uniform number in (0, 1] to a value that exceeds x with probability `beyond(x)`. */
interface Chance {
  of: (share: number) => number;
  beyond: (x: number) => number;
}

const EXPONENTIAL: Chance = { of: (share) => -0.03 * Math.log(share), beyond: (x) => Math.exp(-x / 0.03) };
/** The length of a two-dimensional normal vector: its tail is that of a normal distribution. */
const RAYLEIGH: Chance = {
  of: (share) => 0.1 * Math.sqrt(-2 * Math.log(share)),
  beyond: (x) => Math.exp(-((x / 0.1) ** 2) / 2),
};
const PARETO: Chance = { of: (share) => 0.02 * share ** (-1 / 2.5), beyond: (x) => (x / 0.02) ** -2.5 };

/** A record that has learnt this many days of evidence. */
function learnt(evidence: (row: number) => number, days: number, stepSeconds = 60): SeriesRecord {
  const record = createRecord();
  const { f } = record;
  f[F.firstAnalysed] = 0;
  for (let row = 0; row < (days * 86_400) / stepSeconds; row++) {
    f[F.count] = row;
    learnChance(record, evidence(row), row === 0 ? 0 : stepSeconds, stepSeconds);
    f[F.lastAnalysed] = row * stepSeconds;
  }
  return record;
}

function drawn(chance: Chance, seed: number): () => number {
  const next = uniform(seed);
  return () => chance.of(1 - next());
}

describe('barOfBudget', () => {
  it.each([
    ['exponential', EXPONENTIAL],
    ['normal', RAYLEIGH],
    ['Pareto', PARETO],
  ])('returns a bar that chance with a tail that is %s reaches about as often as requested', (_, chance) => {
    const records = SEEDS.map((seed) => learnt(drawn(chance, seed), 35));
    for (const asked of [0.3, 1, 3, 10, 30]) {
      const rates = records.map((record) => 30 * MINUTES_A_DAY * chance.beyond(barOfBudget(record, asked / 30, 60)));
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      expect(mean / asked).toBeGreaterThan(0.5);
      expect(mean / asked).toBeLessThan(2);
    }
  });

  it('works for hourly rows, and decreases with a higher budget', () => {
    const records = SEEDS.map((seed) => learnt(drawn(EXPONENTIAL, seed), 120, 3600));
    for (const record of records) {
      const bars = [0.1, 1, 10, 100].map((asked) => barOfBudget(record, asked / 30, 3600));
      expect([...bars].sort((a, b) => b - a)).toEqual(bars);
    }
    const rates = records.map((record) => 30 * 24 * EXPONENTIAL.beyond(barOfBudget(record, 3 / 30, 3600)));
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    expect(mean).toBeGreaterThan(1.5);
    expect(mean).toBeLessThan(6);
  });

  it('recovers its level after a constant beginning, and after an increase of noise', () => {
    const quiet = drawn(RAYLEIGH, 3);
    const usual = chanceLevel(learnt(drawn(RAYLEIGH, 4), 30));
    const stillAtFirst = chanceLevel(learnt((row) => (row < 4 * MINUTES_A_DAY ? 0 : quiet()), 34));
    const louder = chanceLevel(learnt((row) => (row < 10 * MINUTES_A_DAY ? 0.1 : 1) * quiet(), 50));
    for (const level of [stillAtFirst, louder]) {
      expect(level / usual).toBeGreaterThan(0.9);
      expect(level / usual).toBeLessThan(1.1);
    }
  });

  it('changes little with large anomalies', () => {
    const chance = drawn(RAYLEIGH, 5);
    const record = learnt(chance, 30);
    const before = barOfBudget(record, 0.1, 60);
    const again = drawn(RAYLEIGH, 5);
    const anomalous = learnt((row) => (row > 36_000 && row % 3000 < 30 ? 50 : again()), 30);
    expect(barOfBudget(anomalous, 0.1, 60) / before).toBeLessThan(1.5);
  });
});

describe('detectSeries with a budget', () => {
  const rows = series(28, 300, white(9));

  /** Anomalies that open after two weeks. */
  const openedWith = (budgetPerMonth: number | undefined): number =>
    opened(
      detectSeries(rows.timestamps, rows.values, {
        type: 'gauge',
        ...(budgetPerMonth !== undefined && { budgetPerMonth }),
      }),
      14,
    ).length;

  it('opens more anomalies in light-tailed noise, the higher the budget', () => {
    expect(openedWith(undefined)).toBe(0);
    expect(openedWith(3)).toBeLessThan(openedWith(30));
    expect(openedWith(30)).toBeGreaterThan(7);
    expect(openedWith(30)).toBeLessThan(28);
  });
});
