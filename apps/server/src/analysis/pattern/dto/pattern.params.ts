import { PageParams } from '../../../common/paging/page.params.js';
import { BoolParam, EnumParam, IntParam, StrParam } from '../../../common/validation/param.decorators.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { PATTERN_ORDERS, type PatternOrder } from '../pattern.repository.js';
import { PATTERN_ORIGINS, type PatternOrigin, type Verdict, VERDICTS } from '../pattern.types.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';

export class ListPatternsParams extends PageParams {
  @BoolParam({ description: 'Only those that are compared, or those that are not' })
  enabled?: boolean;

  @EnumParam(PATTERN_ORIGINS)
  origin?: PatternOrigin;

  @BoolParam({ description: 'Shapes of known problems' })
  positive?: boolean;

  @EnumParam(PATTERN_ORDERS, { default: 'newest' })
  order!: PatternOrder;
}

export class ListAllPatternsParams extends ListPatternsParams {
  @BoolParam({ description: 'Those that wait for a verdict: compared, in shadow, and not judged yet; or all others' })
  waiting?: boolean;

  @BoolParam({ description: 'Those that suppress nothing until a person or other patterns confirm them' })
  shadow?: boolean;

  @EnumParam(VERDICTS, { description: 'Verdict of a person on a pattern that the product created' })
  validated?: Verdict;

  @ChipsParam({ description: 'Only of metrics for which all chips hold' })
  chips?: readonly Chip[];

  @MetricParam()
  metric?: MetricRef;
}

export class ListPendingPatternsParams extends PageParams {
  @MetricParam()
  metric?: MetricRef;
}

export class DisablePatternParams {
  @BoolParam({ default: true, description: 'Also those that were derived from it' })
  children!: boolean;
}

export class UpdatePatternParams {
  @BoolParam()
  enabled?: boolean;

  @BoolParam({ default: true, description: 'With `enabled` false: also those that were derived from it' })
  children!: boolean;

  @StrParam({ min: 0, max: 255 })
  label?: string;

  @BoolParam({ description: 'Shape of a known problem: it names anomalies and suppresses nothing' })
  positive?: boolean;

  @BoolParam({ nullable: true, description: 'Verdict on a pattern that the product created; false disables it' })
  validated?: boolean | null;
}

export class PatternTimeseriesParams {
  @IntParam({ min: 10, max: 10_000, default: 2000, description: 'Most points in the answer' })
  max_points!: number;
}
