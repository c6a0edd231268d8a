import { detectSeries } from './detect-series.js';
import { DAY, normal, START, uniform } from './testing/generators.js';
import { type AnomalyEvent } from './types.js';

const LEARNT_DAYS = 14;
const MINUTE = 60;
const SEEDS = [811, 812, 813, 814, 815, 816];
/** Least severity of an anomaly about a missing job; for jobs known for a long time it is about 70. */
const MIN_SEVERITY = 40;
/** Number of seeds that a case may miss: jobs of ten minutes are learnt late, and early anomalies are less certain. */
const MAX_MISSED = 1;
/** False alarms in the ordinary week of all seeds. */
const MAX_FALSE = 1;

interface Job {
  minutes: number;
  /** Minutes, in either direction. */
  startVariesBy: number;
  wave?: number;
}

interface Night {
  /** Minute of the day. */
  start: number;
  length: number;
}

/** A fortnight of a job whose length varies by a tenth, and days that continue from it. */
class Learnt {
  readonly usual: number;
  private readonly nights: Night[];

  constructor(
    private readonly job: Job,
    private readonly seed: number,
  ) {
    const next = uniform(seed);
    this.usual = 150 + Math.floor(1000 * next());
    this.nights = Array.from({ length: 30 }, () => ({
      start: this.usual + Math.round((2 * next() - 1) * job.startVariesBy),
      length: Math.round(job.minutes * (1 + 0.1 * (2 * next() - 1))),
    }));
  }

  /**
   * The anomalies that open from the first day after learning on. `change` changes each night from then on; null: the
   * job does not run.
   */
  opened(days: number, change: (night: Night) => Night | null): AnomalyEvent[] {
    const noise = normal(this.seed + 7919);
    const rows = (LEARNT_DAYS + days) * 1440;
    const timestamps = Float64Array.from({ length: rows }, (_, row) => START + row * MINUTE);
    const values = Float64Array.from(timestamps, (_, row) => {
      const day = Math.floor(row / 1440);
      const minute = row % 1440;
      const night = day < LEARNT_DAYS ? this.nights[day]! : change(this.nights[day]!);
      const isRunning = night !== null && minute >= night.start && minute < night.start + night.length;
      const usual = 100 + (this.job.wave ?? 0) * Math.sin((2 * Math.PI * minute) / 1440);
      return usual + (isRunning ? 50 : 0) + 2 * noise();
    });
    const { anomalies } = detectSeries(timestamps, values, { type: 'gauge', slotSeconds: MINUTE });
    const from = START + LEARNT_DAYS * DAY;
    return anomalies.filter(({ type, startTimestamp }) => type === 'opened' && startTimestamp >= from);
  }
}

describe.each<[what: string, job: Job]>([
  ['of 10 minutes', { minutes: 10, startVariesBy: 0 }],
  ['of 10 minutes that starts 3 minutes early or late', { minutes: 10, startVariesBy: 3 }],
  ['of 30 minutes', { minutes: 30, startVariesBy: 0 }],
  ['of 30 minutes that starts 15 minutes early or late', { minutes: 30, startVariesBy: 15 }],
  ['of 30 minutes on a daily wave', { minutes: 30, startVariesBy: 5, wave: 20 }],
  ['of two hours', { minutes: 120, startVariesBy: 0 }],
  ['of two hours that starts 15 minutes early or late', { minutes: 120, startVariesBy: 15 }],
])('a job %s', (_, job) => {
  const learnt = SEEDS.map((seed) => new Learnt(job, seed));

  it('is reported as missing within a third of its length after its latest start', () => {
    const missed = learnt.filter((one) => {
      const latest = START + LEARNT_DAYS * DAY + (one.usual + job.startVariesBy) * MINUTE;
      const until = latest + Math.ceil(job.minutes / 3) * MINUTE;
      const found = one.opened(1, () => null).filter(({ startTimestamp }) => startTimestamp <= until);
      return !found.some(({ kind, severity }) => kind === 'seasonal_break' && severity >= MIN_SEVERITY);
    });
    expect(missed.length).toBeLessThanOrEqual(MAX_MISSED);
  });

  it('is reported by the third night if it takes half as long', () => {
    const found = learnt.map((one) => one.opened(3, (night) => ({ ...night, length: Math.round(night.length / 2) })));
    expect(found.filter(({ length }) => length === 0).length).toBeLessThanOrEqual(MAX_MISSED);
  });

  it('causes at most one false alarm in a week of ordinary nights', () => {
    const opened = learnt.flatMap((one) => one.opened(7, (night) => night));
    expect(opened.filter(({ kind }) => kind === 'seasonal_break').length).toBeLessThanOrEqual(MAX_FALSE);
  });
});
