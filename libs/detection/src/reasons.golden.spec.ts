import { type MetricType } from '#libs/contracts';
import { anomalyText, shownUnit, writtenReasons } from '#libs/wording';
import { expectGolden } from '../../../test/support/golden.js';
import { detectSeries } from './detect-series.js';
import { DAY, normal, START } from './testing/index.js';
import { type AnomalyEvent } from './types.js';

const MINUTE = 60;
/** Trouble begins at ten to midnight in Oslo, so that it crosses midnight. */
const AT = START + 9 * DAY + 22 * 3600 + 50 * MINUTE;

interface Case {
  name: string;
  unit: string | null;
  type?: MetricType;
  step?: number;
  days?: number;
  /**
   * The value at a time (NaN: no point), from standard noise and the seconds since the trouble began (negative before).
   */
  value: (noise: number, since: number, timestamp: number, index: number) => number;
}

const wave = (timestamp: number): number => Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY);
const isDuring = (since: number, seconds: number): boolean => since >= 0 && since < seconds;

const CASES: readonly Case[] = [
  { name: 'cpu', unit: '%', value: (noise, since) => (since >= 0 ? 93 : 30) + 2 * noise },
  { name: 'free', unit: 'bytes', value: (noise, since) => (since >= 0 ? 1.44e9 : 8.2e9) + 5e7 * noise },
  { name: 'latency', unit: 'seconds', value: (noise, since) => (isDuring(since, 60) ? 0.812 : 0.04) + 0.002 * noise },
  { name: 'orders', unit: null, value: (noise, since) => (isDuring(since, 180) ? 2 : 120) + 4 * noise },
  {
    name: 'wave.stays',
    unit: 'req/s',
    value: (noise, since, timestamp) => (isDuring(since, DAY) ? 500 : 500 + 300 * wave(timestamp)) + 8 * noise,
  },
  { name: 'silent', unit: null, value: (noise, since) => (isDuring(since, 4 * 3600) ? NaN : 10 + noise) },
  {
    name: 'job.new',
    unit: 'W',
    value: (noise, since) => (isDuring(since, 900) ? 4200 : 300) + 6 * noise,
  },
  {
    name: 'job.missing',
    unit: 'bytes',
    value: (noise, since, timestamp) =>
      ((timestamp - AT) % DAY === 0 || (timestamp - AT + 30 * DAY) % DAY < 900) && !isDuring(since, 900)
        ? 8.2e7 + 1e6 * noise
        : 4e6 + 1e5 * noise,
  },
  { name: 'leak', unit: 'MB', value: (noise, since) => 500 + Math.max(0, since) * 0.02 + 4 * noise },
  {
    name: 'requests',
    unit: 'requests',
    type: 'counter',
    value: (noise, since, _, index) => index * 720 + (since >= 0 ? (since / 60) * 4000 : 0) + 20 * noise,
  },
  { name: 'still', unit: null, value: (_, since) => (since >= 0 ? 5 : 1) },
  { name: 'frozen', unit: '°C', value: (noise, since) => (since >= 0 ? 21.5 : 21.5 + 0.4 * noise) },
  { name: 'restless', unit: 'ms', value: (noise, since) => 80 + (since >= 0 ? 14 : 1.5) * noise },
  {
    name: 'days',
    unit: 'EUR',
    step: DAY,
    days: 200,
    value: (noise, since, timestamp) =>
      (Math.round(timestamp / DAY) % 7 < 2 ? 300 : 900) + 15 * noise + (isDuring(since - 150 * DAY, DAY) ? 4000 : 0),
  },
  { name: 'tiny', unit: 'A', value: (noise, since) => (since >= 0 ? -3.5e-5 : 1.2e-9) + 1e-10 * noise },
  { name: 'huge', unit: null, value: (noise, since) => (since >= 0 ? 963_481_234 : 1.2e8) + 1e6 * noise },
  {
    name: 'wave.slides',
    unit: 'req/s',
    value: (noise, since, timestamp) =>
      (since < 0 ? 1 : Math.max(0.7, 1 - (0.3 * since) / (8 * 3600))) * (500 + 300 * wave(timestamp)) + 12 * noise,
  },
];

function textsOf({ name, unit, type = 'gauge', step = MINUTE, days = 11, value }: Case, seed: number): string[] {
  const noise = normal(seed);
  const timestamps: number[] = [];
  const values: number[] = [];
  for (let index = 0; index * step < days * DAY; index++) {
    const timestamp = START + index * step;
    const at = value(noise(), timestamp - AT, timestamp, index);
    if (!Number.isFinite(at)) continue;
    timestamps.push(timestamp);
    values.push(at);
  }
  const options = { type, slotSeconds: step, timezone: 'Europe/Oslo' };
  const { anomalies } = detectSeries(Float64Array.from(timestamps), Float64Array.from(values), options);
  const anomalous = anomalies.filter(({ startTimestamp }) => startTimestamp >= AT - 3600);
  // The first anomaly, as opened and in its last state.
  const first = anomalous[0];
  if (first === undefined) return [`${name}: nothing was found`];
  const last = anomalous.findLast(({ startTimestamp }) => startTimestamp === first.startTimestamp)!;
  return [first, ...(last === first ? [] : [last])].flatMap((event) => written(event, name, { unit, type, step }));
}

function written(event: AnomalyEvent, name: string, metric: { unit: string | null; type: MetricType; step: number }) {
  const unit = shownUnit(metric);
  const { startTimestamp: start, outUntilTimestamp: end } = event;
  const now = end ?? start + 3600;
  const title = `${name} ${anomalyText({ ...event, start, end, unit }, { zone: 'Europe/Oslo', now })}`;
  const reasons = writtenReasons(event.explanation, { unit, zone: 'Europe/Oslo', slotSeconds: metric.step });
  return [`${event.type}: ${title}`, ...reasons.map(({ text }) => `  ${text}`)];
}

describe('the texts about anomalies of every kind', () => {
  const text = `${CASES.map((one, i) => textsOf(one, i + 1).join('\n')).join('\n\n')}\n`;

  it('match the golden file', () => expectGolden('reasons.txt', text));

  it('have no long decimals, no exponents and no millions of deviations', () => {
    expect(text).not.toMatch(/\d\.\d{5,}|\de[+-]?\d|1000000/);
  });
});
