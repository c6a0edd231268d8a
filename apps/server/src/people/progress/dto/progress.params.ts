import { type ErrorDetail } from '#libs/contracts';
import { PageParams } from '../../../common/paging/page.params.js';
import { Check, exactlyOne, type ParamsCheck } from '../../../common/validation/param-registry.js';
import { BoolParam, enumKind, ListParam, StrParam } from '../../../common/validation/param.decorators.js';
import { PROGRESS_STATUSES, PROGRESS_TYPES, type ProgressStatus, type ProgressType } from '../progress.types.js';

export class ListProgressParams extends PageParams {
  @ListParam(enumKind(PROGRESS_TYPES), { description: 'Only these types' })
  type?: readonly ProgressType[];

  @ListParam(enumKind(PROGRESS_STATUSES), { description: 'Only these statuses' })
  status?: readonly ProgressStatus[];
}

const checkDone: ParamsCheck<UpdateProgressParams> = (_, { given }): ErrorDetail[] =>
  given.has('done') && !given.has('step')
    ? [{ field: 'done', code: 'unknown_parameter', message: 'done must be given together with step' }]
    : [];

@Check<UpdateProgressParams>(checkDone)
@Check<UpdateProgressParams>(exactlyOne('step', 'cancel'))
export class UpdateProgressParams {
  @StrParam({ max: 100, description: 'Key of the step to mark as done', example: 'create_watcher' })
  step?: string;

  @BoolParam({ default: true, description: 'false marks the step as not done' })
  done!: boolean;

  @BoolParam({ description: 'true: end it. A repeat answers as the first time' })
  cancel?: boolean;
}
