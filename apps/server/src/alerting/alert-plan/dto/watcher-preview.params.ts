import { type AnomalyKind } from '#libs/contracts';
import { type ThresholdRule } from '#libs/alerting';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { Check } from '../../../common/validation/param-registry.js';
import { IntParam, TimestampParam } from '../../../common/validation/param.decorators.js';
import { orderProblems } from '../../../common/window/window.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { WATCHER_FIELDS } from '../../watcher/watcher-fields.decorator.js';
import { type ExpirationUnit, type WatcherSettings } from '../../watcher/watcher.types.js';

/**
 * The fields of a watcher that decide what it alerts on; with `watcher_id`, omitted fields are those of that watcher.
 */
@Check<PreviewWatcherParams>((params, { now }) => [
  ...orderProblems(params, now),
  ...(params.watcher_id === undefined && params.chips === undefined
    ? [{ field: 'chips', code: 'required' as const, message: 'chips is required without watcher_id' }]
    : []),
])
export class PreviewWatcherParams {
  @IntParam({ min: 1, max: MAX_ROW_ID, description: 'Begin with the settings of this watcher' })
  watcher_id?: number;

  @ChipsParam({ description: 'The metrics for which all chips hold; required without watcher_id' })
  chips?: readonly Chip[];

  @TimestampParam({ description: 'Start of the replay; default 7 days before its end' })
  from?: number;

  @TimestampParam({ max: Number.MAX_SAFE_INTEGER, description: 'End of the replay; default now' })
  until?: number;

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

  @WATCHER_FIELDS.expiration_time()
  expiration_time?: number;

  @WATCHER_FIELDS.expiration_time_unit()
  expiration_time_unit?: ExpirationUnit;

  @WATCHER_FIELDS.expiration_seconds()
  expiration_seconds?: number;

  @WATCHER_FIELDS.algorithm()
  algorithm?: ThresholdRule['algorithm'];

  @WATCHER_FIELDS.value()
  value?: number | null;

  @WATCHER_FIELDS.value_upper()
  value_upper?: number | null;

  @WATCHER_FIELDS.times_in_a_row()
  times_in_a_row?: number;

  @WATCHER_FIELDS.function()
  function?: ThresholdRule['function'];

  @WATCHER_FIELDS.function_seconds()
  function_seconds?: number | null;

  @WATCHER_FIELDS.minimum_avg()
  minimum_avg?: number | null;

  @WATCHER_FIELDS.minimum_avg_seconds()
  minimum_avg_seconds?: number | null;

  @WATCHER_FIELDS.drop_percent()
  drop_percent?: number | null;
}
