import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { IntParam, TimestampParam } from '../../../common/validation/param.decorators.js';

export class NoisiestParams {
  @TimestampParam({ description: 'Start of the window; default 30 days before its end' })
  from?: number;

  @TimestampParam({ max: Number.MAX_SAFE_INTEGER, description: 'End of the window; default now' })
  until?: number;

  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @IntParam({ min: 1, max: 100, default: 20 })
  limit!: number;
}
