import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { THRESHOLD_ALGORITHMS, THRESHOLD_FUNCTIONS, type ThresholdRule } from '#libs/alerting';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { Check } from '../../../common/validation/param-registry.js';
import {
  enumKind,
  EnumParam,
  IntParam,
  ListParam,
  NumParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { orderProblems } from '../../../common/window/window.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import {
  EXPIRATION_UNITS,
  type ExpirationUnit,
  WATCHER_DIRECTIONS,
  type WatcherSettings,
} from '../../watcher/watcher.types.js';

/** The fields of a watcher that decide what it alerts on; with `watcher_id` those of that watcher are taken where one is left out. */
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

  @IntParam({ min: 0, max: 100, description: 'Default 0' })
  min_severity?: number;

  @IntParam({ min: 0, max: 86_400, description: 'Anomalies alert once they have lasted so long; default 0' })
  min_duration_seconds?: number;

  @EnumParam(WATCHER_DIRECTIONS, { description: 'Default both' })
  direction?: WatcherSettings['direction'];

  @ListParam(enumKind(ANOMALY_KINDS), { description: 'Only these kinds; default all' })
  kinds?: readonly AnomalyKind[];

  @NumParam({ min: 0.1, max: 1000, nullable: true, description: 'About so many messages a week; empty: no budget' })
  alert_budget_per_week?: number | null;

  @IntParam({ min: 1, description: 'At most one alert per metric in this time; default 3600' })
  expiration_time?: number;

  @EnumParam(EXPIRATION_UNITS, { description: 'Unit of expiration_time; default second' })
  expiration_time_unit?: ExpirationUnit;

  @IntParam({ min: 60, max: 2_592_000, description: 'The same in seconds' })
  expiration_seconds?: number;

  @EnumParam(THRESHOLD_ALGORITHMS, { description: 'Of a watcher with a threshold' })
  algorithm?: ThresholdRule['algorithm'];

  @NumParam({ nullable: true, description: 'The limit; the lower one of outside; seconds of silence for no_data' })
  value?: number | null;

  @NumParam({ nullable: true, description: 'Upper limit of outside' })
  value_upper?: number | null;

  @IntParam({ min: 1, max: 60, description: 'Points on the wrong side before it is breached; default 1' })
  times_in_a_row?: number;

  @EnumParam(THRESHOLD_FUNCTIONS, { description: 'Over a moving window; default none' })
  function?: ThresholdRule['function'];

  @IntParam({ min: 60, max: 86_400, nullable: true, description: 'Length of the window of the function' })
  function_seconds?: number | null;

  @NumParam({ nullable: true, description: 'drop_off: least average for which a drop counts' })
  minimum_avg?: number | null;

  @IntParam({ min: 300, max: 86_400, nullable: true, description: 'drop_off: window of the average; default 3600' })
  minimum_avg_seconds?: number | null;

  @NumParam({ min: 50, max: 100, nullable: true, description: 'drop_off: percent below the average; default 90' })
  drop_percent?: number | null;
}
