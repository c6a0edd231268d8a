import { EVENT_LEVELS, EVENT_TYPES, type EventLevel, type EventType } from '#libs/contracts';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { enumKind, ListParam } from '../../../common/validation/param.decorators.js';
import { WindowPageParams } from '../../../common/window/window.params.js';

export class ListEventsParams extends WindowPageParams {
  @ListParam(enumKind(EVENT_TYPES), { default: [], description: 'Only of these types' })
  type!: readonly EventType[];

  @ListParam(enumKind(EVENT_LEVELS), { default: [], description: 'Only of these levels' })
  level!: readonly EventLevel[];

  @MetricParam()
  metric?: MetricRef;
}
