import { PageParams } from '../../../common/paging/page.params.js';
import { Check } from '../../../common/validation/param-registry.js';
import { orderProblems } from '../../../common/window/window.js';
import {
  BoolParam,
  EnumParam,
  IntParam,
  RowIdParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { type Verdict, VERDICTS } from '../../../analysis/pattern/pattern.types.js';

@Check<ListMatchesParams>((params, { now }) => orderProblems(params, now))
export class ListMatchesParams extends PageParams {
  @TimestampParam({ description: 'The whole life of the pattern when both are absent' })
  from?: number;

  @TimestampParam()
  until?: number;

  @EnumParam(VERDICTS, { description: 'Marked right, marked wrong, or not looked at' })
  validated?: Verdict;
}

@Check<ListAllMatchesParams>((params, { now }) => orderProblems(params, now))
export class ListAllMatchesParams extends PageParams {
  @TimestampParam({ description: 'All that are kept when both are absent' })
  from?: number;

  @TimestampParam()
  until?: number;

  @EnumParam(VERDICTS, { description: 'Marked right, marked wrong, or not looked at' })
  validated?: Verdict;

  @ChipsParam({ description: 'Only of metrics for which all chips hold' })
  chips?: readonly Chip[];

  @MetricParam()
  metric?: MetricRef;

  @RowIdParam()
  pattern_id?: number;
}

export class RecentlyMatchedParams {
  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @IntParam({ min: 1, max: 100, default: 10 })
  limit!: number;
}

export class ValidateMatchParams {
  @BoolParam({
    required: true,
    nullable: true,
    description: 'false: it was no instance of the pattern; null undoes the verdict',
  })
  valid!: boolean | null;
}
