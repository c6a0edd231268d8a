import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { IntParam } from '../../../common/validation/param.decorators.js';
import { WindowParams } from '../../../common/window/window.params.js';

export class NoisiestParams extends WindowParams {
  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @IntParam({ min: 1, max: 100, default: 20 })
  limit!: number;
}
