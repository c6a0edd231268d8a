import { ChipsParam } from '../../chips/chips-param.decorators.js';
import { METRIC_STATES, METRIC_TYPES, type MetricState, type MetricType } from '#libs/contracts';
import { type Chip } from '../../chips/chips.js';
import { LimitParam, OffsetParam } from '../../../common/paging/paging.js';
import { PageParams } from '../../../common/paging/page.params.js';
import { Check, exactlyOne } from '../../../common/validation/param-registry.js';
import { BoolParam, EnumParam, enumKind, ListParam, StrParam } from '../../../common/validation/param.decorators.js';

const METRIC_ORDERS = ['name', 'created', 'last_data', 'anomalies'] as const;
export type MetricOrder = (typeof METRIC_ORDERS)[number];

/** Includes metrics with only imported history, which never become active. */
const NOT_REMOVED: readonly MetricState[] = ['active', 'stale', 'inactive'];
const Q_SENTENCE = 'Text that the name contains; `*` stands for any run of characters and makes it the whole name';

export class ListMetricsParams extends PageParams {
  @ChipsParam({ description: 'Chips that must all hold' })
  chips?: readonly Chip[];

  @StrParam({ max: 200, description: Q_SENTENCE })
  q?: string;

  @ListParam(enumKind(METRIC_STATES), { default: NOT_REMOVED })
  state!: readonly MetricState[];

  @EnumParam(METRIC_TYPES)
  type?: MetricType;

  @StrParam({ description: 'Service id of the first sender' })
  source?: string;

  @EnumParam(METRIC_ORDERS, { default: 'name', description: 'By name; the newest first; the most anomalies first' })
  order!: MetricOrder;

  @BoolParam({
    description: 'The last row first: `offset` counts from the end, so that the end of a long list can be reached',
  })
  reverse?: boolean;
}

@Check<SearchMetricsParams>(exactlyOne('q', 'chips'))
export class SearchMetricsParams {
  @StrParam({ max: 200, description: Q_SENTENCE })
  q?: string;

  @ChipsParam({ description: 'Chips that must all hold' })
  chips?: readonly Chip[];

  @ListParam(enumKind(METRIC_STATES), { default: NOT_REMOVED })
  state!: readonly MetricState[];

  @LimitParam({ default: 20, max: 200 })
  limit!: number;

  @OffsetParam()
  offset!: number;
}
