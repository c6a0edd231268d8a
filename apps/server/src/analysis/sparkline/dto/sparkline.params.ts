import { IntParam, ListParam, intKind } from '../../../common/validation/param.decorators.js';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { WindowParams } from '../../../common/window/window.params.js';

export class SparklinesParams extends WindowParams {
  @ListParam(intKind({ min: 1, max: MAX_ROW_ID }), {
    required: true,
    minItems: 1,
    maxItems: 100,
    description: 'Ids of metrics; those that do not exist are left out of the answer',
  })
  metric_ids!: readonly number[];

  @IntParam({ min: 12, max: 200, default: 48, description: 'Points of each line, at most' })
  points!: number;
}
