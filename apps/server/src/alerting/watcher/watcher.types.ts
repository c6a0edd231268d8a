import { type AnomalyRule, THRESHOLD_ALGORITHMS, THRESHOLD_FUNCTIONS, type ThresholdRule } from '#libs/alerting';
import { type AnomalyKind } from '#libs/contracts';
import { DAY, HOUR, MINUTE } from '../../common/time.js';

export { THRESHOLD_ALGORITHMS, THRESHOLD_FUNCTIONS };

/** How long a deleted watcher can be restored. */
export const DELETED_KEPT_DAYS = 30;

export const WATCHER_TYPES = ['anomaly', 'threshold'] as const;
export type WatcherType = (typeof WATCHER_TYPES)[number];

export const WATCHER_DIRECTIONS = ['both', 'up', 'down'] as const satisfies readonly AnomalyRule['direction'][];

export const EXPIRATION_UNITS = ['second', 'minute', 'hour', 'day', 'week'] as const;
export type ExpirationUnit = (typeof EXPIRATION_UNITS)[number];
export const EXPIRATION_UNIT_SECONDS: Readonly<Record<ExpirationUnit, number>> = {
  second: 1,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
};
/** Seconds. */
export const SHORTEST_EXPIRATION = MINUTE;
export const LONGEST_EXPIRATION = 30 * DAY;

/** Lists of users of a watcher; `summary` gets its reports. */
export const WATCHER_LISTS = ['email', 'sms', 'chat_mentions', 'summary'] as const;
export type WatcherList = (typeof WATCHER_LISTS)[number];
export type WatcherRecipients = Readonly<Record<WatcherList, readonly number[]>>;

/** The settings of a watcher. */
export interface WatcherSettings {
  name: string;
  /** As typed. */
  chips: readonly string[];
  /** False: a saved view. */
  alert: boolean;
  minSeverity: number;
  minDurationSeconds: number;
  direction: AnomalyRule['direction'];
  /** Empty: all. */
  kinds: readonly AnomalyKind[];
  chatChannel: string | null;
  /** In clear; null: none. */
  teamsChatWebhook: string | null;
  pagerduty: boolean;
  alertmanager: boolean;
  webhook: boolean;
  expirationTime: number;
  expirationTimeUnit: ExpirationUnit;
  expirationSeconds: number;
  /** As typed, such as `daily-10:00`. */
  summaryReportFrequency: string | null;
  /** Messages a week; null: no budget. */
  alertBudgetPerWeek: number | null;
  /** Set for watchers of thresholds. */
  threshold: ThresholdRule | null;
  recipients: WatcherRecipients;
}

export interface Watcher extends WatcherSettings {
  id: number;
  orgId: number;
  type: WatcherType;
  /** Unix seconds; null without reports. */
  nextSummaryTimestamp: number | null;
  /** Lowest severity that alerts under the budget; 0 without one. */
  severityInEffect: number;
  /** Messages a week in the last four weeks; null until it was reckoned. */
  budgetAchieved: number | null;
  createdBy: number | null;
  createdTimestamp: number;
  updatedTimestamp: number;
  /** Unix seconds; null for one that is live. */
  deletedTimestamp: number | null;
}

/** The results of the daily adjustment of a budget. */
export interface BudgetState {
  /** 0..100 */
  severityInEffect: number;
  /** Messages a week in the last four weeks. */
  achieved4Weeks: number;
}

/** A watcher whose report is due. */
export interface ScheduledSummary {
  orgId: number;
  watcher: Watcher;
  /** When it was due, Unix seconds. */
  scheduledAt: number;
}
