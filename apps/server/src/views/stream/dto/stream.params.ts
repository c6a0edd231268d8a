import { STREAM_EVENT_TYPES, type StreamEventType } from '#libs/contracts';
import { enumKind, ListParam, StrParam } from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';

export class StreamParams {
  @ListParam(enumKind(STREAM_EVENT_TYPES), { default: [], description: 'Only events of these types' })
  types!: readonly StreamEventType[];

  @ChipsParam({
    description: 'Only events of metrics for which all chips hold; events that concern no metric are always included',
  })
  chips?: readonly Chip[];

  @StrParam({
    max: 40,
    description:
      'Id of the last event that was received: what came after it is sent again, for up to ten minutes and a thousand events. ' +
      'The header `Last-Event-ID` takes precedence',
  })
  last_event_id?: string;
}
