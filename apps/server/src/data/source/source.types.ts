import { type MetricType } from '#libs/contracts';
import { DAY, MINUTE } from '../../common/time.js';

export const SOURCE_TYPES = ['promql', 'graphite', 'influxql', 'sql'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const SOURCE_STATES = ['ok', 'failing', 'disabled', 'backfilling'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** Settings made by people; secrets are separate. */
export interface SourceSettings {
  name: string;
  type: SourceType;
  /** Without credentials. */
  url: string;
  query: string;
  username: string;
  intervalSeconds: number;
  /** Age of the newest point that is read: late data has arrived at the source by then. */
  lagSeconds: number;
  /** Length of the past that is read first. */
  backfillSeconds: number;
  nameTemplate: string;
  metricType: MetricType | null;
  unit: string | null;
  timeoutSeconds: number;
  maxSeries: number;
  enabled: boolean;
  /** The expected range and the score of its metrics are written back to the store. */
  writeBack: boolean;
}

export const DEFAULT_SETTINGS = {
  username: '',
  intervalSeconds: MINUTE,
  lagSeconds: MINUTE,
  backfillSeconds: 14 * DAY,
  nameTemplate: '',
  metricType: null,
  unit: null,
  timeoutSeconds: 30,
  maxSeries: 10_000,
  enabled: true,
  writeBack: false,
} as const satisfies Partial<SourceSettings>;

/** Secrets that are sent to the source and never shown. */
export interface SourceSecrets {
  /** Empty: none. */
  password: string;
  /** Values by name of the request header. */
  headers: Readonly<Record<string, string>>;
}

export const NO_SECRETS: SourceSecrets = { password: '', headers: {} };

/** A source that a process has claimed for one read. Times in Unix seconds. */
export interface ClaimedSource extends SourceSettings {
  id: number;
  orgId: number;
  secretsSealed: string | null;
  /** All points up to here are stored; null before the first read. */
  watermark: number | null;
  isBackfilling: boolean;
  /** Number of intervals that the next read may span. */
  chunkIntervals: number;
  pointsPerInterval: number | null;
  failures: number;
  createdAt: number;
  /** Number of the claim: results of an earlier claim are ignored. */
  tries: number;
}

/** Number of consecutive failures after which the organisation gets an event. */
export const FAILURES_TO_REPORT = 3;
