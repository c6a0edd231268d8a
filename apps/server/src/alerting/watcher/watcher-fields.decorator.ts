import { ANOMALY_KINDS } from '#libs/contracts';
import { enumKind, EnumParam, IntParam, ListParam, NumParam } from '../../common/validation/param.decorators.js';
import {
  EXPIRATION_UNITS,
  LONGEST_EXPIRATION,
  SHORTEST_EXPIRATION,
  THRESHOLD_ALGORITHMS,
  THRESHOLD_FUNCTIONS,
  WATCHER_DIRECTIONS,
} from './watcher.types.js';

/** Members of a watcher that decide what it alerts on and how often, with the decorator of each. */
export const WATCHER_FIELDS = {
  min_severity: () => IntParam({ min: 0, max: 100, description: 'Default 0' }),
  min_duration_seconds: () =>
    IntParam({
      min: 0,
      max: 86_400,
      description: 'Anomalies alert once their rows have been out of range for this time; default 0',
    }),
  direction: () => EnumParam(WATCHER_DIRECTIONS, { description: 'Default both' }),
  kinds: () => ListParam(enumKind(ANOMALY_KINDS), { description: 'Only these kinds; default all' }),
  alert_budget_per_week: () =>
    NumParam({
      min: 0.1,
      max: 1000,
      nullable: true,
      description: 'Target number of messages a week: only anomalies that are rare enough alert. Empty: no budget',
    }),
  expiration_time: () => IntParam({ min: 1, description: 'At most one alert per metric in this time; default 3600' }),
  expiration_time_unit: () => EnumParam(EXPIRATION_UNITS, { description: 'Unit of expiration_time; default second' }),
  expiration_seconds: () =>
    IntParam({ min: SHORTEST_EXPIRATION, max: LONGEST_EXPIRATION, description: 'The same in seconds' }),
  algorithm: () =>
    EnumParam(THRESHOLD_ALGORITHMS, {
      description: 'above, below, outside (of two values), drop_off (far below the average), no_data (silence)',
    }),
  value: () =>
    NumParam({ nullable: true, description: 'The limit; the lower one of outside; seconds of silence for no_data' }),
  value_upper: () => NumParam({ nullable: true, description: 'Upper limit of outside' }),
  times_in_a_row: () =>
    IntParam({
      min: 1,
      max: 60,
      description:
        'Points on the wrong side before it is breached, on the right side before it has recovered; default 1',
    }),
  function: () => EnumParam(THRESHOLD_FUNCTIONS, { description: 'Over a moving window; default none' }),
  function_seconds: () =>
    IntParam({ min: 60, max: 86_400, nullable: true, description: 'Length of the window of the function' }),
  minimum_avg: () => NumParam({ nullable: true, description: 'drop_off: least average for which a drop counts' }),
  minimum_avg_seconds: () =>
    IntParam({ min: 300, max: 86_400, nullable: true, description: 'drop_off: window of the average; default 3600' }),
  drop_percent: () =>
    NumParam({ min: 50, max: 100, nullable: true, description: 'drop_off: percent below the average; default 90' }),
} as const;
