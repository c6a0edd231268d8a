import { type AnomalyKind } from '#libs/contracts';
import { PageParams } from '../../../common/paging/page.params.js';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import {
  BoolParam,
  EnumParam,
  intKind,
  IntParam,
  ListParam,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import {
  type ExpirationUnit,
  type THRESHOLD_ALGORITHMS,
  type THRESHOLD_FUNCTIONS,
  WATCHER_TYPES,
  type WatcherSettings,
  type WatcherType,
} from '../watcher.types.js';
import { WATCHER_FIELDS } from '../watcher-fields.decorator.js';
import { type ThresholdFields, type WatcherFields } from '../watcher-settings.js';

/** As many as an organisation may have users. */
const MAX_USERS = 500;

const UsersParam = (description: string): PropertyDecorator =>
  ListParam(intKind({ min: 1, max: MAX_ROW_ID }), { maxItems: MAX_USERS, description });

/** All members may be omitted: they have defaults, or keep their values. */
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
    isSecret: true,
    description: 'https address of the workflow of a Teams channel; a masked value leaves it as it is',
  })
  teams_chat_webhook?: string | null;

  @BoolParam({ description: 'Default false. Needs the integration' })
  pagerduty?: boolean;

  @BoolParam({ description: 'Default false. Needs the integration' })
  alertmanager?: boolean;

  @BoolParam({ description: 'Default false. Needs the integration' })
  webhook?: boolean;

  @WATCHER_FIELDS.expiration_time()
  expiration_time?: number;

  @WATCHER_FIELDS.expiration_time_unit()
  expiration_time_unit?: ExpirationUnit;

  @WATCHER_FIELDS.expiration_seconds()
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

  @BoolParam({ default: false, description: 'Send a test alert through every channel now' })
  test_alert!: boolean;
}

class AnomalyFieldsParams extends WatcherFieldsParams {
  @WATCHER_FIELDS.min_severity()
  min_severity?: number;

  @WATCHER_FIELDS.min_duration_seconds()
  min_duration_seconds?: number;

  @WATCHER_FIELDS.direction()
  direction?: WatcherSettings['direction'];

  @WATCHER_FIELDS.kinds()
  kinds?: readonly AnomalyKind[];

  @WATCHER_FIELDS.alert_budget_per_week()
  alert_budget_per_week?: number | null;
}

class ThresholdFieldsParams extends WatcherFieldsParams implements ThresholdFields {
  @WATCHER_FIELDS.algorithm()
  algorithm?: (typeof THRESHOLD_ALGORITHMS)[number];

  @WATCHER_FIELDS.value()
  value?: number | null;

  @WATCHER_FIELDS.value_upper()
  value_upper?: number | null;

  @WATCHER_FIELDS.times_in_a_row()
  times_in_a_row?: number;

  @WATCHER_FIELDS.function()
  function?: (typeof THRESHOLD_FUNCTIONS)[number];

  @WATCHER_FIELDS.function_seconds()
  function_seconds?: number | null;

  @WATCHER_FIELDS.minimum_avg()
  minimum_avg?: number | null;

  @WATCHER_FIELDS.minimum_avg_seconds()
  minimum_avg_seconds?: number | null;

  @WATCHER_FIELDS.drop_percent()
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

const WATCHER_ORDERS = ['name', 'newest', 'last_alert'] as const;

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
