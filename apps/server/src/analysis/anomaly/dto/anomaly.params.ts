import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { ANOMALY_KINDS, ANOMALY_STATES, type AnomalyKind, type AnomalyState } from '#libs/contracts';
import { type Chip } from '../../../data/chips/chips.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import {
  BoolParam,
  enumKind,
  EnumParam,
  IntParam,
  RowIdParam,
  ListParam,
  NumParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { TABLE_FORMATS, type TableFormat } from '../../../common/http/csv-answer.js';
import { WindowPageParams, WindowParams } from '../../../common/window/window.params.js';
import { ANOMALY_ORDERS, type AnomalyOrder } from '../anomaly.types.js';

export class ListMetricAnomaliesParams extends WindowPageParams {
  @ListParam(enumKind(ANOMALY_STATES))
  state?: readonly AnomalyState[];

  @ListParam(enumKind(ANOMALY_KINDS))
  kind?: readonly AnomalyKind[];

  @EnumParam(ANOMALY_ORDERS, { default: 'newest' })
  order!: AnomalyOrder;
}

export class ListAnomaliesParams extends ListMetricAnomaliesParams {
  @ChipsParam({ description: 'Only anomalies of metrics for which all chips hold' })
  chips?: readonly Chip[];

  @MetricParam()
  metric?: MetricRef;

  @NumParam({ min: 0, max: 1, default: 0 })
  score_min!: number;

  @IntParam({ min: 0, max: 100, default: 0 })
  severity_min!: number;

  @BoolParam({ description: 'Confirmed as real problems' })
  positive?: boolean;

  @BoolParam({ description: 'Can be trained by the caller at present' })
  trainable?: boolean;

  @BoolParam()
  acknowledged?: boolean;

  @RowIdParam({ description: 'Only anomalies of this incident' })
  incident_id?: number;

  @RowIdParam({ description: 'Only anomalies that this watcher would alert on' })
  watcher_id?: number;
}

/** Parameters of the call that can also answer with a table. */
export class ListAnomaliesTableParams extends ListAnomaliesParams {
  @EnumParam(TABLE_FORMATS, { default: 'json', description: 'csv: a table for spreadsheets, without envelope' })
  format!: TableFormat;
}

export class LookUpAnomalyParams {
  @MetricParam({ required: true })
  metric!: MetricRef;

  @TimestampParam({ required: true })
  timestamp!: number;
}

export class AnomalySummaryParams {
  @IntParam({ min: 1, max: 365, default: 30, description: 'Days in `by_kind` and `per_day`' })
  days!: number;
}

export class YhatParams extends WindowParams {
  @IntParam({ min: 10, max: 10_000, default: 2000, description: 'Most points in the answer' })
  max_points!: number;

  @BoolParam({ default: true })
  include_value!: boolean;

  @BoolParam({ default: true })
  include_mean!: boolean;

  @BoolParam({ default: true })
  include_yhat_real_lower!: boolean;

  @BoolParam({ default: true })
  include_anomalous_periods!: boolean;
}

/** Parameters of the call that can also answer with a table. */
export class YhatTableParams extends YhatParams {
  @EnumParam(TABLE_FORMATS, { default: 'json', description: 'csv: a table for spreadsheets, without envelope' })
  format!: TableFormat;
}
