import {
  BoolParam,
  strKind,
  ListParam,
  RowIdParam,
  StrParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';

/** The three lengths of patterns, or the same in seconds. */
const DURATION = /^(24h|7d|30d|\d{1,8})$/;

export class TrainParams {
  @RowIdParam({ description: 'Either it, or `metric` and `timestamp`' })
  anomaly_id?: number;

  @MetricParam()
  metric?: MetricRef;

  @TimestampParam()
  timestamp?: number;

  @BoolParam({ default: true, description: 'false: it is a real problem' })
  expected!: boolean;

  @ListParam(strKind({ max: 10, pattern: DURATION, says: 'must be 24h, 7d, 30d or a number of seconds' }), {
    description: 'Default: 24h and 7d, as far as there is data for them now',
  })
  durations?: readonly string[];

  @StrParam({ min: 0, max: 255, default: '' })
  label!: string;

  @BoolParam({ default: true, description: 'Whether the product may derive patterns from it; these begin in shadow' })
  learn!: boolean;

  @BoolParam({ default: false, description: 'With `expected` false: name anomalies that look like it' })
  remember!: boolean;

  @BoolParam({ default: false, description: 'Nothing is stored; `preview` says what would have happened' })
  dry_run!: boolean;
}

export class AcknowledgeParams {
  @BoolParam({ default: true })
  acknowledged!: boolean;

  @StrParam({ min: 0, max: 1000, default: '', multiline: true })
  note!: string;

  @BoolParam({ default: false, description: 'All anomalies of its incident' })
  incident!: boolean;
}
