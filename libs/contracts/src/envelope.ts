/** The eight flags that every envelope carries. */
export const ONBOARDING_FLAGS = [
  'main_intro',
  'alerts_intro',
  'alerts_from_search',
  'training_intro',
  'alert_created',
  'test_alert_sent',
  'two_alerts_sent',
  'pattern_trained',
] as const;
/** Flags that appear once they are set. */
export const ONBOARDING_EXTRA_FLAGS = [
  'seen_card_anomalies',
  'seen_card_matches',
  'seen_card_training',
  'seen_card_all',
] as const;
export type OnboardingFlag = (typeof ONBOARDING_FLAGS)[number];
export type OnboardingExtraFlag = (typeof ONBOARDING_EXTRA_FLAGS)[number];
export type OnboardingFlags = Record<OnboardingFlag, boolean> & Partial<Record<OnboardingExtraFlag, boolean>>;

/** 1 no data yet, 100 receiving, 200 learning, 300 live. Never falls back. */
export type OnboardingStatusId = 1 | 100 | 200 | 300;

/** The `status` block of every enveloped answer. Times in Unix seconds, `duration` in seconds. */
export interface StatusBlock {
  created_timestamp: number;
  created_string: string;
  duration: number;
  language: string;
  timezone: { timezone_type: 3; timezone: string };
  code: number;
  oldest_cached_component_age: number;
  session_id: string;
  org_onboarding_status_id: OnboardingStatusId;
  api_host: string;
  user_onboarding_flags: OnboardingFlags;
}

export interface ErrorDetail {
  /** Parameter name as sent; dotted for nested JSON. */
  field: string;
  code: string;
  message: string;
}

export interface ErrorData {
  message: string;
  error: { code: string; details: ErrorDetail[] };
}
