/** Times in Unix seconds throughout the area. */
export const ADMIN_ALERT_CODES = [
  'no_data',
  'stale_metrics',
  'metric_quota_exceeded',
  'delivery_failed',
  'invalid_metrics',
] as const;
export type AdminAlertCode = (typeof ADMIN_ALERT_CODES)[number];
export const ADMIN_ALERT_IDS = [1, 2, 3, 4, 5] as const;
export type AdminAlertId = (typeof ADMIN_ALERT_IDS)[number];

export const ADMIN_ALERT_STATES = ['ok', 'waiting', 'raised'] as const;
export type AdminAlertState = (typeof ADMIN_ALERT_STATES)[number];

export interface AdminAlertDefinition {
  id: AdminAlertId;
  code: AdminAlertCode;
  name: string;
  /** The text for its end. */
  over: string;
  /** Whether it may be switched off. */
  configurable: boolean;
}

/** An organisation's settings of one of them. */
export interface AdminAlertSettings {
  enabled: boolean;
  /** Ids of users; without any recipient the organisation's defaults for administrators. */
  emailUsers: readonly number[];
  smsUsers: readonly number[];
  /** Empty: none. */
  chatChannel: string;
  /** Time for which the condition must hold, seconds. */
  waitSeconds: number;
  /** At most one notice that it is raised within this time. */
  expirationSeconds: number;
}

export const DEFAULT_SETTINGS: AdminAlertSettings = {
  enabled: true,
  emailUsers: [],
  smsUsers: [],
  chatChannel: '',
  waitSeconds: 300,
  expirationSeconds: 3600,
};

/** The current problem. */
export interface AdminCondition {
  since: number;
  /** Sentences for people. */
  message: string;
  affectedCount: number;
  /** Names, at most 1000. */
  affectedMetrics: readonly string[];
}

export const MAX_AFFECTED = 1000;
