import { type ThresholdRule } from '#libs/alerting';
import { type AnomalyKind, type DetailCode, type ErrorDetail } from '#libs/contracts';
import { DAY, HOUR } from '../../common/time.js';
import { type Chip } from '../../data/chips/chips.js';
import { parseFrequency } from './summary-time.js';
import {
  EXPIRATION_UNIT_SECONDS,
  type ExpirationUnit,
  LONGEST_EXPIRATION,
  SHORTEST_EXPIRATION,
  type WatcherList,
  type WatcherSettings,
  type WatcherType,
} from './watcher.types.js';

/** Fields of every watcher as sent. Omitted fields keep their values. */
export interface WatcherFields {
  chips?: readonly Chip[];
  name?: string;
  alert?: boolean;
  chat_channel?: string | null;
  teams_chat_webhook?: string | null;
  pagerduty?: boolean;
  alertmanager?: boolean;
  webhook?: boolean;
  expiration_time?: number;
  expiration_time_unit?: ExpirationUnit;
  expiration_seconds?: number;
  email_users?: readonly number[];
  sms_users?: readonly number[];
  chat_mention_users?: readonly number[];
  summary_report_frequency?: string | null;
  summary_report_users?: readonly number[];
}

/** Fields of watchers of anomalies. */
export interface AnomalyFields {
  min_severity?: number;
  min_duration_seconds?: number;
  direction?: WatcherSettings['direction'];
  kinds?: readonly AnomalyKind[];
  alert_budget_per_week?: number | null;
}

/** Fields of watchers of thresholds. */
export interface ThresholdFields {
  algorithm?: ThresholdRule['algorithm'];
  value?: number | null;
  value_upper?: number | null;
  times_in_a_row?: number;
  function?: ThresholdRule['function'];
  function_seconds?: number | null;
  minimum_avg?: number | null;
  minimum_avg_seconds?: number | null;
  drop_percent?: number | null;
}

export type AllFields = WatcherFields & AnomalyFields & ThresholdFields;

export const LIST_OF_FIELD = {
  email_users: 'email',
  sms_users: 'sms',
  chat_mention_users: 'chat_mentions',
  summary_report_users: 'summary',
} as const satisfies Record<string, WatcherList>;
export type RecipientsField = keyof typeof LIST_OF_FIELD;

/** A shorter silence is normal between two points. */
const SHORTEST_SILENCE = 60;
const LONGEST_SILENCE = 30 * DAY;
const MAX_NAME_CHARACTERS = 100;
/** The mask that answers show instead of a secret: if it is sent back, the secret stays unchanged. */
const MASKED = /^\*{12}.{0,4}$/;

export const NO_SETTINGS: WatcherSettings = {
  name: '',
  chips: [],
  alert: false,
  minSeverity: 0,
  minDurationSeconds: 0,
  direction: 'both',
  kinds: [],
  chatChannel: null,
  teamsChatWebhook: null,
  pagerduty: false,
  alertmanager: false,
  webhook: false,
  expirationTime: HOUR,
  expirationTimeUnit: 'second',
  expirationSeconds: HOUR,
  summaryReportFrequency: null,
  alertBudgetPerWeek: null,
  threshold: null,
  recipients: { email: [], sms: [], chat_mentions: [], summary: [] },
};

export interface MergedSettings {
  settings: WatcherSettings;
  problems: ErrorDetail[];
}

/**
 * A watcher after the sent fields are applied, and the problems of these fields alone: it does not check whether users
 * exist and channels are connected.
 * @param before the current settings; `NO_SETTINGS` for a new one
 */
export function mergeSettings(type: WatcherType, before: WatcherSettings, fields: AllFields): MergedSettings {
  const problems: ErrorDetail[] = [];
  const chips = fields.chips?.map(({ text }) => text) ?? before.chips;
  const settings: WatcherSettings = {
    name: fields.name ?? (before.name === '' ? nameOf(chips) : before.name),
    chips,
    alert: fields.alert ?? before.alert,
    ...anomalySettings(type, before, fields, problems),
    chatChannel: fields.chat_channel === undefined ? before.chatChannel : fields.chat_channel,
    teamsChatWebhook: teamsWebhook(before, fields, problems),
    pagerduty: fields.pagerduty ?? before.pagerduty,
    alertmanager: fields.alertmanager ?? before.alertmanager,
    webhook: fields.webhook ?? before.webhook,
    ...expiration(before, fields, problems),
    summaryReportFrequency:
      fields.summary_report_frequency === undefined ? before.summaryReportFrequency : fields.summary_report_frequency,
    threshold: type === 'threshold' ? thresholdOf(before.threshold, fields, problems) : null,
    recipients: {
      email: fields.email_users ?? before.recipients.email,
      sms: fields.sms_users ?? before.recipients.sms,
      chat_mentions: fields.chat_mention_users ?? before.recipients.chat_mentions,
      summary: fields.summary_report_users ?? before.recipients.summary,
    },
  };
  problems.push(...summaryProblems(settings, fields));
  return { settings, problems };
}

function nameOf(chips: readonly string[]): string {
  return Array.from(chips.join(', ')).slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

const ANOMALY_FIELDS = [
  'min_severity',
  'min_duration_seconds',
  'direction',
  'kinds',
  'alert_budget_per_week',
] as const satisfies readonly (keyof AnomalyFields)[];

function anomalySettings(
  type: WatcherType,
  before: WatcherSettings,
  fields: AnomalyFields,
  problems: ErrorDetail[],
): Pick<WatcherSettings, 'minSeverity' | 'minDurationSeconds' | 'direction' | 'kinds' | 'alertBudgetPerWeek'> {
  if (type === 'threshold') {
    for (const field of ANOMALY_FIELDS.filter((name) => fields[name] !== undefined)) {
      problems.push(problem(field, 'unknown_parameter', 'is a parameter of anomaly watchers only'));
    }
  }
  const { alert_budget_per_week: budget } = fields;
  return {
    minSeverity: fields.min_severity ?? before.minSeverity,
    minDurationSeconds: fields.min_duration_seconds ?? before.minDurationSeconds,
    direction: fields.direction ?? before.direction,
    kinds: fields.kinds ?? before.kinds,
    alertBudgetPerWeek: budget === undefined ? before.alertBudgetPerWeek : budget,
  };
}

function teamsWebhook(
  before: WatcherSettings,
  { teams_chat_webhook: address }: WatcherFields,
  problems: ErrorDetail[],
): string | null {
  if (address === undefined || (address !== null && MASKED.test(address))) return before.teamsChatWebhook;
  if (address !== null && !isHttps(address)) {
    problems.push(problem('teams_chat_webhook', 'bad_format', 'must be an https address'));
  }
  return address;
}

export const isHttps = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

function expiration(
  before: WatcherSettings,
  { expiration_time: time, expiration_time_unit: unit, expiration_seconds: seconds }: WatcherFields,
  problems: ErrorDetail[],
): Pick<WatcherSettings, 'expirationTime' | 'expirationTimeUnit' | 'expirationSeconds'> {
  if (time === undefined && unit === undefined) {
    if (seconds === undefined) {
      const { expirationTime, expirationTimeUnit, expirationSeconds } = before;
      return { expirationTime, expirationTimeUnit, expirationSeconds };
    }
    return { expirationTime: seconds, expirationTimeUnit: 'second', expirationSeconds: seconds };
  }
  const expirationTime = time ?? before.expirationTime;
  const expirationTimeUnit = unit ?? before.expirationTimeUnit;
  const expirationSeconds = expirationTime * EXPIRATION_UNIT_SECONDS[expirationTimeUnit];
  const field = time === undefined ? 'expiration_time_unit' : 'expiration_time';
  if (expirationSeconds < SHORTEST_EXPIRATION || expirationSeconds > LONGEST_EXPIRATION) {
    problems.push(
      problem(
        field,
        'out_of_range',
        `must be ${String(SHORTEST_EXPIRATION)} to ${String(LONGEST_EXPIRATION)} seconds, got ${String(expirationSeconds)}`,
      ),
    );
  } else if (seconds !== undefined && seconds !== expirationSeconds) {
    problems.push(
      problem(
        'expiration_seconds',
        'mismatch',
        `must equal expiration_time (${String(expirationSeconds)} seconds), got ${String(seconds)}`,
      ),
    );
  }
  return { expirationTime, expirationTimeUnit, expirationSeconds };
}

function summaryProblems(
  { summaryReportFrequency: frequency, recipients }: WatcherSettings,
  { summary_report_frequency: given, summary_report_users: users }: WatcherFields,
): ErrorDetail[] {
  if (frequency === null) return [];
  if (given != null && parseFrequency(given) === undefined) {
    return [
      problem(
        'summary_report_frequency',
        'bad_format',
        'must look like daily-10:00, weekly-monday-08:00 or monthly-1-08:00',
      ),
    ];
  }
  if (recipients.summary.length > 0 || (given === undefined && users === undefined)) return [];
  return [problem('summary_report_users', 'too_few', 'must have at least one user: summary_report_frequency is set')];
}

const USED_BY: Readonly<Record<ThresholdRule['algorithm'], readonly (keyof ThresholdFields)[]>> = {
  above: ['value', 'function', 'function_seconds'],
  below: ['value', 'function', 'function_seconds'],
  outside: ['value', 'value_upper', 'function', 'function_seconds'],
  drop_off: ['minimum_avg', 'minimum_avg_seconds', 'drop_percent'],
  no_data: ['value'],
};
const OF_SOME_ALGORITHMS = [
  'value',
  'value_upper',
  'function',
  'function_seconds',
  'minimum_avg',
  'minimum_avg_seconds',
  'drop_percent',
] as const satisfies readonly (keyof ThresholdFields)[];
const DEFAULT_AVERAGE_SECONDS = HOUR;
const DEFAULT_DROP_PERCENT = 90;

/** If the algorithm changes, values that the new one does not use are dropped. */
function thresholdOf(before: ThresholdRule | null, fields: ThresholdFields, problems: ErrorDetail[]): ThresholdRule {
  const algorithm = fields.algorithm ?? before?.algorithm;
  if (algorithm === undefined) {
    problems.push(problem('algorithm', 'required', 'is required'));
    return NO_THRESHOLD;
  }
  const used = USED_BY[algorithm];
  for (const field of OF_SOME_ALGORITHMS) {
    const given = fields[field];
    if (given != null && given !== 'none' && !used.includes(field)) {
      problems.push(problem(field, 'unknown_parameter', `is not a parameter of the algorithm ${algorithm}`));
    }
  }
  // An explicit null clears a field.
  const kept = <Field extends keyof ThresholdFields, Value>(field: Field, stored: Value | undefined) => {
    if (!used.includes(field)) return null;
    if (fields[field] === undefined) return stored ?? null;
    return fields[field];
  };
  const windowed = used.includes('function') ? (fields.function ?? before?.function ?? 'none') : 'none';
  const rule: ThresholdRule = {
    algorithm,
    value: kept('value', before?.value),
    valueUpper: kept('value_upper', before?.valueUpper),
    timesInARow: fields.times_in_a_row ?? before?.timesInARow ?? 1,
    function: windowed,
    functionSeconds: windowed === 'none' ? null : kept('function_seconds', before?.functionSeconds),
    minimumAvg: kept('minimum_avg', before?.minimumAvg),
    minimumAvgSeconds:
      algorithm === 'drop_off'
        ? (kept('minimum_avg_seconds', before?.minimumAvgSeconds) ?? DEFAULT_AVERAGE_SECONDS)
        : null,
    dropPercent: algorithm === 'drop_off' ? (kept('drop_percent', before?.dropPercent) ?? DEFAULT_DROP_PERCENT) : null,
  };
  problems.push(...thresholdProblems(rule));
  return rule;
}

export const NO_THRESHOLD: ThresholdRule = {
  algorithm: 'above',
  value: null,
  valueUpper: null,
  timesInARow: 1,
  function: 'none',
  functionSeconds: null,
  minimumAvg: null,
  minimumAvgSeconds: null,
  dropPercent: null,
};

function thresholdProblems(rule: ThresholdRule): ErrorDetail[] {
  const { algorithm, value, valueUpper } = rule;
  const problems: ErrorDetail[] = [];
  const need = (field: keyof ThresholdFields): number =>
    problems.push(problem(field, 'required', `is required by the algorithm ${algorithm}`));
  if (algorithm === 'drop_off') {
    if (rule.minimumAvg === null) need('minimum_avg');
    return problems;
  }
  if (value === null) need('value');
  if (algorithm === 'outside' && valueUpper === null) need('value_upper');
  if (value !== null && valueUpper !== null && valueUpper <= value) {
    problems.push(
      problem(
        'value_upper',
        'out_of_range',
        `must be greater than value (${String(value)}), got ${String(valueUpper)}`,
      ),
    );
  }
  if (algorithm === 'no_data' && value !== null && (value < SHORTEST_SILENCE || value > LONGEST_SILENCE)) {
    problems.push(
      problem(
        'value',
        'out_of_range',
        `must be ${String(SHORTEST_SILENCE)} to ${String(LONGEST_SILENCE)} seconds, got ${String(value)}`,
      ),
    );
  }
  if (rule.function !== 'none' && rule.functionSeconds === null) {
    problems.push(problem('function_seconds', 'required', 'is required if function is not none'));
  }
  return problems;
}

function problem(field: string, code: DetailCode, says: string): ErrorDetail {
  return { field, code, message: `${field} ${says}` };
}
