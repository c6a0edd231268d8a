import { LimitParam } from '../../../common/paging/paging.js';
import { IntParam } from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';

/** Of times, in messages. */
const MEANING = 'Unix milliseconds or seconds';

export class DashboardParams {
  @IntParam({
    min: 0,
    meaning: MEANING,
    description: 'Start in Unix milliseconds, or in seconds below 10^11; default a day before the end',
  })
  from?: number;

  @IntParam({
    min: 0,
    meaning: MEANING,
    description: 'End in Unix milliseconds, or in seconds below 10^11; default now',
  })
  to?: number;

  @IntParam({ min: 0, meaning: MEANING, description: 'The same as `to`' })
  until?: number;

  @LimitParam({ default: 1000, max: 10_000 })
  limit!: number;
}

export class OrgDashboardParams extends DashboardParams {
  @ChipsParam({ description: 'Only of metrics for which all chips hold' })
  chips?: readonly Chip[];
}
