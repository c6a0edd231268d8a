import { type Aggregation } from '#libs/contracts';
import { type RestartBefore } from './counter.js';
import { gaussian, poisson, smoothNoise, uniform } from './hash-noise.js';
import { type LocalClock } from './local-clock.js';

// Taken once: looking up a global for every value is slow in sandboxed contexts.
const { cos, exp, floor, PI, sin } = Math;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** What a model may look at besides the time. */
export interface ModelContext {
  seed: number;
  clock: LocalClock;
  /** Start of what the metric belongs to. */
  startedAt: RestartBefore;
  isJobRunning: (timestamp: number) => boolean;
}

/** The undisturbed behaviour of one metric: a level, and noise around it. Trouble is laid over it by demo-series.ts. */
export interface DemoModel {
  /** Short name by which the trouble plan knows it. */
  key: string;
  /** Canonical metric name. */
  name: string;
  kind: 'gauge' | 'counter' | 'count';
  unit: string | null;
  description: string;
  aggregation: Aggregation;
  /** What begins anew when the metric does; the process of the shop unless said otherwise. */
  restartsWith?: 'process' | 'machine';
  /** Smallest and largest value there can be. */
  min: number;
  max: number;
  /** Decimals of the values. */
  decimals: number;
  /** Expected value; of a counter the rate per second, of a count the mean per minute. */
  level(context: ModelContext, timestamp: number): number;
  /** Noise to be added to the level, in the same unit. */
  noise(context: ModelContext, timestamp: number, level: number): number;
}

/** Use of a service by people: low at four in the morning, high in the late afternoon, 0.1..1. */
function dayCurve(wallSeconds: number): number {
  const angle = (2 * PI * (wallSeconds - 4 * HOUR)) / DAY;
  return 0.53 - 0.37 * cos(angle) - 0.1 * cos(2 * angle) - 0.06 * sin(angle);
}

/** 1 on weekdays, `weekend` on Saturday and Sunday, going over within an hour around midnight. */
function weekCurve(wallSeconds: number, weekend: number): number {
  const factorAt = (seconds: number): number => {
    // 1970-01-01 was a Thursday.
    const weekday = (((floor(seconds / DAY) + 3) % 7) + 7) % 7;
    return weekday >= 5 ? weekend : 1;
  };
  const part = (((wallSeconds + HOUR / 2) % HOUR) + HOUR) % HOUR;
  const weight = part / HOUR;
  return factorAt(wallSeconds - HOUR / 2) * (1 - weight) + factorAt(wallSeconds + HOUR / 2) * weight;
}

/** Load of the shop: 0.08..1.1, the same for all of its metrics, wandering a little. */
function shopLoad({ clock, seed }: ModelContext, timestamp: number, weekend = 0.7): number {
  const wall = clock.wallSeconds(timestamp);
  const wander =
    1 + 0.04 * smoothNoise(seed + 1, timestamp, 3 * HOUR) + 0.02 * smoothNoise(seed + 2, timestamp, 25 * MINUTE);
  return dayCurve(wall) * weekCurve(wall, weekend) * wander;
}

/** Noise of a measurement from minute to minute, part of it lasting for some minutes. Deviation about 1. */
function jitter({ seed }: ModelContext, timestamp: number): number {
  return 0.8 * gaussian(seed + 11, floor(timestamp / MINUTE)) + 0.7 * smoothNoise(seed + 12, timestamp, 7 * MINUTE);
}

/** Noise in proportion to the level. */
const proportional =
  (share: number) =>
  (context: ModelContext, timestamp: number, level: number): number =>
    share * level * jitter(context, timestamp);

/** Noise of one size. */
const constant =
  (size: number) =>
  (context: ModelContext, timestamp: number): number =>
    size * jitter(context, timestamp);

/** Counts vary by themselves; the noise is what chance adds to the mean. */
const chance = ({ seed }: ModelContext, timestamp: number, level: number): number =>
  poisson(level, uniform(seed + 21, floor(timestamp / MINUTE))) - level;

const GAUGE = { kind: 'gauge', aggregation: 'last', min: 0, max: Infinity } as const;
const COUNTER = { kind: 'counter', aggregation: 'last', min: 0, max: Infinity, decimals: 0 } as const;
const COUNT = { kind: 'count', aggregation: 'sum', min: 0, max: Infinity, decimals: 0 } as const;

/** A small company that sells things on the web: what its monitoring would send. */
export const DEMO_MODELS: readonly DemoModel[] = [
  {
    ...COUNTER,
    key: 'requests',
    name: 'http_requests_total{code="200",instance="web-1",job="shop"}',
    unit: null,
    description: 'Requests answered by web-1.',
    level: (context, t) => 180 * shopLoad(context, t),
    noise: proportional(0.04),
  },
  {
    ...GAUGE,
    key: 'errors',
    name: 'http_error_percent{job="shop"}',
    unit: '%',
    description: 'Share of requests that failed.',
    max: 100,
    decimals: 3,
    level: ({ seed }, t) => 0.6 + 0.08 * smoothNoise(seed, t, 5 * HOUR),
    noise: proportional(0.13),
  },
  {
    ...GAUGE,
    key: 'latency',
    name: 'http_request_duration_seconds{job="shop",quantile="0.95"}',
    unit: 's',
    description: 'Response time that 95 % of requests stay below; rises with load.',
    min: 0.01,
    decimals: 4,
    level: (context, t) => 0.11 + 0.17 * shopLoad(context, t) ** 2,
    noise: proportional(0.05),
  },
  {
    ...GAUGE,
    key: 'cpu',
    name: 'node_cpu_percent{instance="web-1"}',
    unit: '%',
    description: 'Processor time in use.',
    max: 100,
    decimals: 2,
    level: (context, t) => 11 + 38 * shopLoad(context, t),
    noise: (context, t, level) => (0.6 + 0.03 * level) * jitter(context, t),
  },
  {
    ...GAUGE,
    key: 'memory',
    name: 'process_resident_memory_bytes{instance="web-1",job="shop"}',
    unit: 'bytes',
    description: 'Memory of the shop process: grows slowly until the next release restarts it.',
    decimals: 0,
    level: ({ startedAt }, t) => {
      const hours = (t - startedAt(t)) / HOUR;
      return 420e6 + 310e6 * (1 - exp(-hours / 2)) + 6.5e6 * hours;
    },
    noise: constant(9e6),
  },
  {
    ...GAUGE,
    key: 'queue',
    name: 'rabbitmq_queue_messages_ready{queue="mail"}',
    unit: null,
    description: 'Mails that wait to be sent.',
    decimals: 0,
    level: (context, t) => 6 + 30 * shopLoad(context, t),
    noise: (context, t, level) => 0.18 * level * jitter(context, t),
  },
  {
    ...GAUGE,
    key: 'connections',
    name: 'pg_stat_activity_count{datname="shop"}',
    unit: null,
    description: 'Open database connections.',
    decimals: 0,
    level: (context, t) => 24 + 48 * shopLoad(context, t),
    noise: constant(1.8),
  },
  {
    ...GAUGE,
    key: 'backup',
    name: 'backup.nas-1.write_bytes_per_second',
    unit: 'bytes/s',
    description: 'Writing to the backup store: half an hour every night, next to nothing otherwise.',
    decimals: 0,
    level: ({ seed, isJobRunning }, t) =>
      isJobRunning(t) ? 84e6 + 5e6 * smoothNoise(seed, t, 10 * MINUTE) : 0.32e6 + 0.03e6 * smoothNoise(seed, t, HOUR),
    noise: proportional(0.06),
  },
  {
    ...GAUGE,
    key: 'disk',
    name: 'node_filesystem_used_percent{device="sda1",instance="db-1"}',
    unit: '%',
    description: 'Space in use: fills for three days, then old files are removed.',
    max: 100,
    decimals: 3,
    level: ({ clock }, t) => {
      const days = clock.wallSeconds(t - 5 * HOUR) / DAY;
      return 52 + (18 * (((days % 3) + 3) % 3)) / 3;
    },
    noise: constant(0.06),
  },
  {
    ...COUNTER,
    key: 'network',
    name: 'node_network_receive_bytes_total{device="eth0",instance="web-1"}',
    unit: 'bytes',
    description: 'Bytes received.',
    restartsWith: 'machine',
    level: (context, t) => 0.4e6 + 2.6e6 * shopLoad(context, t),
    noise: proportional(0.06),
  },
  {
    ...COUNT,
    key: 'signups',
    name: 'shop.signups',
    unit: null,
    description: 'New customers per minute; mostly none.',
    level: (context, t) => 0.09 * shopLoad(context, t, 0.9),
    noise: chance,
  },
  {
    ...COUNT,
    key: 'orders',
    name: 'shop.orders',
    unit: null,
    description: 'Orders per minute; fewer at the weekend.',
    level: (context, t) => 4 + 52 * shopLoad(context, t, 0.5),
    noise: chance,
  },
  {
    ...GAUGE,
    key: 'pressure',
    name: 'plant.pump-2.pressure_bar',
    unit: 'bar',
    description: 'Pressure of the cooling water.',
    decimals: 3,
    level: ({ seed }, t) => 3.1 + 0.06 * smoothNoise(seed, t, 8 * HOUR) + 0.03 * smoothNoise(seed + 3, t, 40 * MINUTE),
    noise: constant(0.015),
  },
  {
    ...GAUGE,
    key: 'provider',
    name: 'payments.provider.response_ms',
    unit: 'ms',
    description: 'Response time of the payment provider.',
    min: 5,
    decimals: 1,
    level: ({ seed }, t) => 185 + 6 * smoothNoise(seed, t, 4 * HOUR),
    noise: constant(7),
  },
  {
    ...GAUGE,
    key: 'temperature',
    name: 'room_temperature_celsius{room="server-1",site="hq"}',
    unit: '°C',
    description: 'Air in the server room; warmer in the afternoon.',
    min: -20,
    decimals: 2,
    level: ({ clock, seed }, t) =>
      21.8 - 0.9 * cos((2 * PI * (clock.wallSeconds(t) - 4 * HOUR)) / DAY) + 0.25 * smoothNoise(seed, t, 9 * HOUR),
    noise: constant(0.06),
  },
  {
    ...GAUGE,
    key: 'hitratio',
    name: 'cdn.cache.hit_percent',
    unit: '%',
    description: 'Requests that the cache could answer.',
    max: 100,
    decimals: 2,
    level: (context, t) => 93.5 + 2.2 * shopLoad(context, t),
    noise: constant(0.35),
  },
];
