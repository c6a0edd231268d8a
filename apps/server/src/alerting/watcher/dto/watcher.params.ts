import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { PageParams } from '../../../common/paging/page.params.js';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import {
  BoolParam,
  enumKind,
  EnumParam,
  intKind,
  IntParam,
  ListParam,
  NumParam,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import {
  EXPIRATION_UNITS,
  type ExpirationUnit,
  THRESHOLD_ALGORITHMS,
  THRESHOLD_FUNCTIONS,
  WATCHER_DIRECTIONS,
  WATCHER_TYPES,
  type WatcherSettings,
  type WatcherType,
} from '../watcher.types.js';
import { type ThresholdFields, type WatcherFields } from '../watcher-settings.js';

/** As many as an organisation may have users. */
const MOST_USERS = 500;

const UsersParam = (description: string): PropertyDecorator =>
  ListParam(intKind({ min: 1, max: MAX_ROW_ID }), { maxItems: MOST_USERS, description });

/** All members may be left out: they have defaults, or stay as they are. */
class WatcherFieldsParams implements WatcherFields {
  @StrParam({ max: 100, description: 'Default: the chips. Unique among the live watchers, ignoring case' })
  name?: string;

  @BoolParam({ description: 'Default false: a saved view, without alerts' })
  alert?: boolean;

  @StrParam({ max: 100, nullable: true, example: '#ops', description: 'Channel of the chat' })
  chat_channel?: string | null;

  @StrParam({
    max: 2000,
    nullable: true,
    description: 'https address of the workflow of a Teams channel; a masked value leaves it as it is',
  })
  teams_chat_webhook?: string | null;

  @BoolParam({ description: 'Default false. Needs the integration' })
  pagerduty?: boolean;

  @BoolParam({ description: 'Default false. Needs the integration' })
  alertmanager?: boolean;

  @BoolParam({ description: 'Default false. Needs the integration' })
  webhook?: boolean;

  @IntParam({ min: 1, description: 'At most one alert per metric in this time; default 3600' })
  expiration_time?: number;

  @EnumParam(EXPIRATION_UNITS, { description: 'Unit of expiration_time; default second' })
  expiration_time_unit?: ExpirationUnit;

  @IntParam({ min: 60, max: 2_592_000, description: 'The same in seconds' })
  expiration_seconds?: number;

  @UsersParam('Users who get mail')
  email_users?: readonly number[];

  @UsersParam('Users who get text messages; each needs a phone number')
  sms_users?: readonly number[];

  @UsersParam('Users who are mentioned in the chat; each needs a chat member id')
  chat_mention_users?: readonly number[];

  @StrParam({
    max: 40,
    nullable: true,
    example: 'daily-10:00',
    description:
      'When a report is sent, in the zone of the organisation: `daily-HH:MM`, `weekly-monday-HH:MM`, ' +
      '`monthly-1-HH:MM` (day 1 to 28). Without a time: 08:00. Empty: none',
  })
  summary_report_frequency?: string | null;

  @UsersParam('Users who get the report')
  summary_report_users?: readonly number[];

  @BoolParam({ default: false, description: 'Send a test alert over every way now' })
  test_alert!: boolean;
}

class AnomalyFieldsParams extends WatcherFieldsParams {
  @IntParam({ min: 0, max: 100, description: 'Default 0' })
  min_severity?: number;

  @IntParam({ min: 0, max: 86_400, description: 'Anomalies alert once they have lasted so long; default 0' })
  min_duration_seconds?: number;

  @EnumParam(WATCHER_DIRECTIONS, { description: 'Default both' })
  direction?: WatcherSettings['direction'];

  @ListParam(enumKind(ANOMALY_KINDS), { description: 'Only these kinds; default all' })
  kinds?: readonly AnomalyKind[];

  @NumParam({
    min: 0.1,
    max: 1000,
    nullable: true,
    description: 'About so many messages a week: only what is rare enough alerts. Empty: no budget',
  })
  alert_budget_per_week?: number | null;
}

class ThresholdFieldsParams extends WatcherFieldsParams implements ThresholdFields {
  @EnumParam(THRESHOLD_ALGORITHMS, {
    description: 'above, below, outside (of two values), drop_off (far below the average), no_data (silence)',
  })
  algorithm?: (typeof THRESHOLD_ALGORITHMS)[number];

  @NumParam({ nullable: true, description: 'The limit; the lower one of outside; seconds of silence for no_data' })
  value?: number | null;

  @NumParam({ nullable: true, description: 'Upper limit of outside' })
  value_upper?: number | null;

  @IntParam({
    min: 1,
    max: 60,
    description: 'Points on the wrong side before it is breached, on the right side before it has recovered; default 1',
  })
  times_in_a_row?: number;

  @EnumParam(THRESHOLD_FUNCTIONS, { description: 'Over a moving window; default none' })
  function?: (typeof THRESHOLD_FUNCTIONS)[number];

  @IntParam({ min: 60, max: 86_400, nullable: true, description: 'Length of the window of the function' })
  function_seconds?: number | null;

  @NumParam({ nullable: true, description: 'drop_off: least average for which a drop counts' })
  minimum_avg?: number | null;

  @IntParam({ min: 300, max: 86_400, nullable: true, description: 'drop_off: window of the average; default 3600' })
  minimum_avg_seconds?: number | null;

  @NumParam({ min: 50, max: 100, nullable: true, description: 'drop_off: percent below the average; default 90' })
  drop_percent?: number | null;
}

export class CreateWatcherParams extends AnomalyFieldsParams {
  @ChipsParam({ required: true, description: 'The metrics for which all chips hold' })
  chips!: readonly Chip[];
}

export class UpdateWatcherParams extends AnomalyFieldsParams {
  @ChipsParam({ description: 'The metrics for which all chips hold' })
  chips?: readonly Chip[];
}

export class CreateThresholdWatcherParams extends ThresholdFieldsParams {
  @ChipsParam({ required: true, description: 'The metrics for which all chips hold' })
  chips!: readonly Chip[];
}

export class UpdateThresholdWatcherParams extends ThresholdFieldsParams {
  @ChipsParam({ description: 'The metrics for which all chips hold' })
  chips?: readonly Chip[];
}

export class CompleteChipsParams {
  @StrParam({ min: 0, max: 100, default: '', description: 'What has been typed of the next chip' })
  q!: string;

  @ChipsParam({ description: 'Chips that are chosen already' })
  chips?: readonly Chip[];

  @IntParam({ min: 1, max: 100, default: 20 })
  limit!: number;
}

export const WATCHER_ORDERS = ['name', 'newest', 'last_alert'] as const;

export class ListWatchersParams extends PageParams {
  @EnumParam(WATCHER_TYPES)
  type?: WatcherType;

  @ChipsParam({ description: 'Watchers of metrics for which all chips hold' })
  chips?: readonly Chip[];

  @BoolParam({ default: false, description: 'Also those that were deleted in the last 30 days' })
  include_deleted!: boolean;

  @EnumParam(WATCHER_ORDERS, { default: 'name' })
  order!: (typeof WATCHER_ORDERS)[number];
}
