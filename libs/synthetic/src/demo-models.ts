import { type Aggregation } from '#libs/contracts';
import { type RestartBefore } from './counter.js';
import { gaussian, poisson, smoothNoise, uniform } from './hash-noise.js';
import { type LocalClock } from './local-clock.js';

// Read once, because accessing a global for every value is slow in sandboxed contexts.
const { cos, floor, PI, sin } = Math;

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** Input of a model in addition to the time. */
export interface ModelContext {
  seed: number;
  clock: LocalClock;
  /** Last start of the process or machine to which the metric belongs. */
  startedAt: RestartBefore;
  isJobRunning: (timestamp: number) => boolean;
}

/** The undisturbed behaviour of one metric: a level, and noise around it. demo-series.ts adds trouble to it. */
export interface DemoModel {
  /** Short name by which the trouble plan refers to it. */
  key: string;
  /** Canonical metric name. */
  name: string;
  kind: 'gauge' | 'counter' | 'count';
  unit: string | null;
  description: string;
  aggregation: Aggregation;
  /** The part that restarts with the metric; default: the process of the site. */
  restartsWith?: 'process' | 'machine';
  /** Smallest and largest possible value. */
  min: number;
  max: number;
  /** Decimals of the values. */
  decimals: number;
  /** Expected value; for a counter the rate per second, for a count the mean per minute. */
  level(context: ModelContext, timestamp: number): number;
  /** Noise that is added to the level, in the same unit. */
  noise(context: ModelContext, timestamp: number, level: number): number;
}

/** Use of a service by people: low at 04:00, high in the late afternoon, 0.1..1. */
export function dayCurve(wallSeconds: number): number {
  const angle = (2 * PI * (wallSeconds - 4 * HOUR)) / DAY;
  return 0.53 - 0.37 * cos(angle) - 0.1 * cos(2 * angle) - 0.06 * sin(angle);
}

/** 1 on weekdays, `weekend` on Saturday and Sunday, with a transition of an hour around midnight. */
export function weekCurve(wallSeconds: number, weekend: number): number {
  const factorAt = (seconds: number): number => {
    // 1970-01-01 was a Thursday.
    const weekday = (((floor(seconds / DAY) + 3) % 7) + 7) % 7;
    return weekday >= 5 ? weekend : 1;
  };
  const part = (((wallSeconds + HOUR / 2) % HOUR) + HOUR) % HOUR;
  const weight = part / HOUR;
  return factorAt(wallSeconds - HOUR / 2) * (1 - weight) + factorAt(wallSeconds + HOUR / 2) * weight;
}

/** Noise of a measurement from minute to minute, part of which lasts for some minutes. Standard deviation about 1. */
export function jitter({ seed }: ModelContext, timestamp: number): number {
  return 0.8 * gaussian(seed + 11, floor(timestamp / MINUTE)) + 0.7 * smoothNoise(seed + 12, timestamp, 7 * MINUTE);
}

/** Noise proportional to the level. */
export const proportional =
  (share: number) =>
  (context: ModelContext, timestamp: number, level: number): number =>
    share * level * jitter(context, timestamp);

/** Noise of constant size. */
export const constant =
  (size: number) =>
  (context: ModelContext, timestamp: number): number =>
    size * jitter(context, timestamp);

/** Counts vary by themselves; the noise is the random difference from the mean. */
export const chance = ({ seed }: ModelContext, timestamp: number, level: number): number =>
  poisson(level, uniform(seed + 21, floor(timestamp / MINUTE))) - level;

export const GAUGE = { kind: 'gauge', aggregation: 'last', min: 0, max: Infinity } as const;
export const COUNTER = { kind: 'counter', aggregation: 'last', min: 0, max: Infinity, decimals: 0 } as const;
export const COUNT = { kind: 'count', aggregation: 'sum', min: 0, max: Infinity, decimals: 0 } as const;
