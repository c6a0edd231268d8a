import { LimitParam } from '../../../common/paging/paging.js';
import { WindowParams } from '../../../common/window/window.params.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';

export class MostAnomalousParams extends WindowParams {
  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @LimitParam({ default: 10, max: 100 })
  limit!: number;
}

export class MostRecentlyAnomalousParams {
  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @LimitParam({ default: 10, max: 100 })
  limit!: number;
}
