import { PageParams } from '../../../common/paging/page.params.js';
import { BoolParam, EnumParam, IntParam, TimestampParam } from '../../../common/validation/param.decorators.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { type MatchVerdict, VERDICTS } from '../match.types.js';

export class ListMatchesParams extends PageParams {
  @TimestampParam({ description: 'The whole life of the pattern when both are absent' })
  from?: number;

  @TimestampParam()
  until?: number;

  @EnumParam(VERDICTS, { description: 'Marked right, marked wrong, or not looked at' })
  validated?: MatchVerdict;
}

export class RecentlyMatchedParams {
  @ChipsParam({ description: 'Only metrics for which all chips hold' })
  chips?: readonly Chip[];

  @IntParam({ min: 1, max: 100, default: 10 })
  limit!: number;
}

export class ValidateMatchParams {
  @BoolParam({ required: true, description: 'false: it was no instance of the pattern' })
  valid!: boolean;
}
