import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { PageParams } from '../../../common/paging/page.params.js';
import { Check } from '../../../common/validation/param-registry.js';
import {
  enumKind,
  EnumParam,
  IntParam,
  ListParam,
  NumParam,
  StrParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { orderProblems } from '../../../common/window/window.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { TUNING_DIRECTIONS, type TuningDirection } from '../tuning.types.js';

export class ListTuningsParams extends PageParams {
  @MetricParam({ description: 'Only the tunings that select this metric, the one that applies first' })
  metric?: MetricRef;
}

/** All members are optional: they have defaults, or keep their values. */
class TuningFieldsParams {
  @StrParam({ min: 0, max: 100 })
  name?: string;

  @NumParam({ min: 0.25, max: 4, description: 'Factor by which evidence is multiplied; default 1' })
  sensitivity?: number;

  @EnumParam(TUNING_DIRECTIONS, {
    description: 'Default both; by the peak. Missing data and values that stand still stay',
  })
  direction?: TuningDirection;

  @ListParam(enumKind(ANOMALY_KINDS), { description: 'Only these kinds; default all' })
  kinds?: readonly AnomalyKind[];

  @IntParam({ min: 0, max: 86_400, description: 'How long rows must be out of range before an anomaly opens' })
  min_duration_seconds?: number;

  @IntParam({
    min: 0,
    max: 2_678_400,
    nullable: true,
    description: 'Season of the values; 0: none; null: found in the data. A change relearns the metrics',
  })
  period_seconds?: number | null;

  @NumParam({
    min: 0,
    nullable: true,
    description: 'Smaller deviations from what was expected open nothing; in the unit of the metric',
  })
  minimum_size?: number | null;

  @NumParam({
    min: 0.01,
    max: 100,
    nullable: true,
    description: 'Target number of anomalies a month of a metric in normal times; null: the default level',
  })
  false_alarms_per_month?: number | null;
}

export class CreateTuningParams extends TuningFieldsParams {
  @ChipsParam({ required: true, description: 'The metrics for which all chips hold' })
  chips!: readonly Chip[];
}

export class UpdateTuningParams extends TuningFieldsParams {
  @ChipsParam({ description: 'The metrics for which all chips hold' })
  chips?: readonly Chip[];
}

@Check<PreviewTuningParams>((params, { now }) => orderProblems(params, now))
export class PreviewTuningParams extends CreateTuningParams {
  @TimestampParam({ description: 'Start of the replay; default 14 days before its end' })
  from?: number;

  @TimestampParam({ max: Number.MAX_SAFE_INTEGER, description: 'End of the replay; default now' })
  until?: number;
}
