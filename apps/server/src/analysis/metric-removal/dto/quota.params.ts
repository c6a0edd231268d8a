import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { LimitParam, OffsetParam } from '../../../common/paging/paging.js';
import { BoolParam } from '../../../common/validation/param.decorators.js';

export class QuotaMetricsParams {
  @ChipsParam({ description: 'Chips that must all hold' })
  chips?: readonly Chip[];

  @LimitParam({ default: 1000, max: 10_000 })
  limit!: number;

  @OffsetParam()
  offset!: number;
}

export class DryRunParams {
  @BoolParam({ default: false, description: 'Only report what would be done' })
  dry_run!: boolean;
}

export class QuotaRemovalParams extends DryRunParams {
  @ChipsParam({ required: true, broadCheck: true, description: 'Chips that must all hold' })
  chips!: readonly Chip[];
}
