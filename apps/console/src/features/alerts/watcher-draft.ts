import { type Schema } from '../../lib/api';

/** Messages per week that the slider offers. The option null, which it adds, has no budget. */
const BUDGETS: readonly number[] = [0.25, 0.5, 1, 2, 3, 5, 10, 20, 50];
export const DEFAULT_BUDGET = 3;
export const REPLAY_DAYS = 28;
const MINUTE = 60;
const HOUR = 3600;

export const WATCHER_TYPES = ['anomaly', 'threshold'] as const;
export type WatcherType = (typeof WATCHER_TYPES)[number];
export const ALGORITHMS = ['above', 'below', 'outside', 'drop_off', 'no_data'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
export const FUNCTIONS = ['none', 'mean', 'median', 'min', 'max', 'sum', 'rate'] as const;
export type ThresholdFunction = (typeof FUNCTIONS)[number];
export const DIRECTIONS = ['both', 'up', 'down'] as const;

/** The input for a threshold; null if it is empty. */
export interface ThresholdDraft {
  algorithm: Algorithm;
  /** The limit; for `outside`, the lower one. */
  value: number | null;
  upper: number | null;
  silenceMinutes: number | null;
  timesInARow: number;
  fn: ThresholdFunction;
  fnMinutes: number | null;
  minimumAvg: number | null;
  dropPercent: number;
}

/** The content of the editor, before it becomes a watcher. */
export interface WatcherDraft {
  type: WatcherType;
  name: string;
  chips: readonly string[];
  /** Messages per week; null: no budget. */
  budget: number | null;
  minSeverity: number;
  minDurationMinutes: number;
  direction: (typeof DIRECTIONS)[number];
  threshold: ThresholdDraft;
  /** Minimum interval between messages about the same metric, minutes. */
  repeatMinutes: number;
  mailTo: readonly number[];
  smsTo: readonly number[];
  chatChannel: string;
  teamsWebhook: string;
  pagerduty: boolean;
  alertmanager: boolean;
  webhook: boolean;
}

const NEW_THRESHOLD: ThresholdDraft = {
  algorithm: 'above',
  value: null,
  upper: null,
  silenceMinutes: 30,
  timesInARow: 3,
  fn: 'none',
  fnMinutes: 5,
  minimumAvg: null,
  dropPercent: 90,
};

type Service = Schema<'ServiceDto'>;

/** True if messages can be sent over a channel: it is connected, and took the last message. */
export const canSend = (service: Pick<Service, 'connected' | 'last_error'> | undefined): boolean =>
  service !== undefined && service.connected && service.last_error === null;

/** A watcher of anomalies that mails the given users. */
export const newDraft = (mailTo: readonly number[], chips: readonly string[] = []): WatcherDraft => ({
  type: 'anomaly',
  name: '',
  chips,
  budget: DEFAULT_BUDGET,
  minSeverity: 0,
  minDurationMinutes: 0,
  direction: 'both',
  threshold: NEW_THRESHOLD,
  repeatMinutes: 60,
  mailTo,
  smsTo: [],
  chatChannel: '',
  teamsWebhook: '',
  pagerduty: false,
  alertmanager: false,
  webhook: false,
});

/** A watcher in the form of the editor. */
export function draftOf(watcher: Schema<'WatcherDto'>): WatcherDraft {
  const { threshold } = watcher;
  const ids = (users: readonly Schema<'UserDto'>[]): number[] => users.map(({ id }) => id);
  return {
    type: watcher.type,
    name: watcher.name,
    chips: watcher.chips,
    budget: watcher.alert_budget_per_week,
    minSeverity: watcher.min_severity,
    minDurationMinutes: watcher.min_duration_seconds / MINUTE,
    direction: watcher.direction,
    threshold: threshold
      ? {
          algorithm: threshold.algorithm,
          value: threshold.algorithm === 'no_data' ? null : threshold.value,
          upper: threshold.value_upper,
          silenceMinutes:
            threshold.algorithm === 'no_data' ? (threshold.value ?? 0) / MINUTE : NEW_THRESHOLD.silenceMinutes,
          timesInARow: threshold.times_in_a_row,
          fn: threshold.function,
          fnMinutes: (threshold.function_seconds ?? 5 * MINUTE) / MINUTE,
          minimumAvg: threshold.minimum_avg,
          dropPercent: threshold.drop_percent ?? NEW_THRESHOLD.dropPercent,
        }
      : NEW_THRESHOLD,
    repeatMinutes: watcher.expiration_seconds / MINUTE,
    mailTo: ids(watcher.alert_users.email),
    smsTo: ids(watcher.alert_users.sms),
    chatChannel: watcher.chat_channel ?? '',
    teamsWebhook: watcher.teams_chat_webhook ?? '',
    pagerduty: watcher.pagerduty,
    alertmanager: watcher.alertmanager,
    webhook: watcher.webhook,
  };
}

export type Lack = 'chips' | 'value' | 'upper' | 'silence' | 'fnMinutes' | 'minimumAvg';

/** The missing input; null if the watcher can be saved and tested. */
export function lackOf({ type, chips, threshold }: WatcherDraft): Lack | null {
  if (chips.length === 0) return 'chips';
  if (type === 'anomaly') return null;
  const { algorithm, value, upper, silenceMinutes, fn, fnMinutes, minimumAvg } = threshold;
  if (algorithm === 'drop_off') return minimumAvg === null ? 'minimumAvg' : null;
  if (algorithm === 'no_data') return silenceMinutes === null ? 'silence' : null;
  if (value === null) return 'value';
  if (algorithm === 'outside' && (upper === null || upper <= value)) return 'upper';
  return fn !== 'none' && fnMinutes === null ? 'fnMinutes' : null;
}

/** Members of POST /watcher/preview that affect the messages. */
export function previewBody(draft: WatcherDraft) {
  const common = { chips: [...draft.chips], expiration_seconds: Math.round(draft.repeatMinutes * MINUTE) };
  if (draft.type === 'threshold') return { ...common, ...thresholdBody(draft.threshold) };
  return {
    ...common,
    alert_budget_per_week: draft.budget,
    min_severity: draft.minSeverity,
    min_duration_seconds: Math.round(draft.minDurationMinutes * MINUTE),
    direction: draft.direction,
  };
}

function thresholdBody(threshold: ThresholdDraft) {
  const { algorithm, timesInARow: times_in_a_row, value, upper, fn, fnMinutes } = threshold;
  const common = { algorithm, times_in_a_row };
  if (algorithm === 'no_data') return { ...common, value: (threshold.silenceMinutes ?? 0) * MINUTE };
  if (algorithm === 'drop_off') {
    return { ...common, minimum_avg: threshold.minimumAvg, drop_percent: threshold.dropPercent };
  }
  return {
    ...common,
    value,
    ...(algorithm === 'outside' && { value_upper: upper }),
    function: fn,
    ...(fn !== 'none' && { function_seconds: Math.round((fnMinutes ?? 0) * MINUTE) }),
  };
}

/** Members of POST /watcher and POST /watcher/threshold, and of the calls that change one. */
export const watcherBody = (draft: WatcherDraft) => ({
  ...previewBody(draft),
  ...(draft.name.trim() === '' ? {} : { name: draft.name.trim() }),
  alert: true,
  email_users: [...draft.mailTo],
  sms_users: [...draft.smsTo],
  chat_channel: draft.chatChannel.trim(),
  teams_chat_webhook: draft.teamsWebhook.trim(),
  pagerduty: draft.pagerduty,
  alertmanager: draft.alertmanager,
  webhook: draft.webhook,
});

/** Selectable budgets: the usual ones, and the current one. */
export function budgetChoices(current: number | null): (number | null)[] {
  const all = current === null || BUDGETS.includes(current) ? BUDGETS : [...BUDGETS, current];
  return [...all.toSorted((one, other) => one - other), null];
}

/** The limits of a threshold that can be drawn as lines, each with its member of the draft. */
export function linesOf({
  algorithm,
  value,
  upper,
}: ThresholdDraft): { key: 'value' | 'upper'; value: number | null }[] {
  if (algorithm === 'above' || algorithm === 'below') return [{ key: 'value', value }];
  return algorithm === 'outside'
    ? [
        { key: 'value', value },
        { key: 'upper', value: upper },
      ]
    : [];
}

export interface ReplayDay {
  /** `2025-10-09`, in the zone of the organisation. */
  date: string;
  sent: number;
  keptBack: number;
}

/** Every day of the replay in rows of a week, including days without messages. */
export function weeksOf(
  perDay: readonly Schema<'PreviewedDayDto'>[],
  lastDate: string,
  days = REPLAY_DAYS,
): ReplayDay[][] {
  const byDate = new Map(perDay.map((day) => [day.date, day]));
  const last = Date.parse(`${lastDate}T00:00:00Z`);
  const all = Array.from({ length: days }, (_, i) => {
    const date = new Date(last - (days - 1 - i) * 24 * HOUR * 1000).toISOString().slice(0, 10);
    const day = byDate.get(date);
    return { date, sent: day?.alerts ?? 0, keptBack: day?.suppressed ?? 0 };
  });
  return Array.from({ length: Math.ceil(days / 7) }, (_, i) => all.slice(i * 7, i * 7 + 7));
}

/** Messages of the last seven days of a replay. */
export const sentLastWeek = (weeks: readonly (readonly ReplayDay[])[]): number =>
  (weeks.at(-1) ?? []).reduce((sum, { sent }) => sum + sent, 0);
