import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import {
  AnyCaller,
  CurrentCaller,
  Public,
  RequireAnyPermission,
  RequirePermissions,
  SideEffect,
} from '../../common/auth/access.decorators.js';
import { type Caller, type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ProgressAnswerDto, ProgressListDto, TourDto } from './dto/progress-answers.dto.js';
import { ListProgressParams, UpdateProgressParams } from './dto/progress.params.js';
import { ProgressGuideService } from './progress-guide.service.js';

@ApiTags('progress')
@Controller('progress')
export class ProgressController {
  constructor(private readonly guide: ProgressGuideService) {}

  @Fetch()
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: "List the jobs and onboarding of the organisation, and the caller's tour",
    description:
      'Jobs that run or have run in the background, such as the removal of metrics, with their percentage; the ' +
      'newest first.',
  })
  @ApiEnvelope(ProgressListDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListProgressParams): Promise<ProgressListDto> {
    return this.guide.list(caller, params);
  }

  @Fetch('demo')
  @Public()
  @ApiOperation({
    summary: 'Get the guided tour',
    description:
      'The steps of the tour. For a caller with a session they show which are done; without one they are all ' +
      'open and there is no id.',
  })
  @ApiEnvelope(TourDto)
  tour(@AnyCaller() caller: Caller, @Params() _params: NoParams): Promise<TourDto> {
    return this.guide.tour(caller);
  }

  // The caller's own tour needs `read`, everything else `write`: the service checks it.
  @Get(':progress_id/update')
  @RequireAnyPermission(Permission.Read, Permission.Write)
  @SideEffect()
  @SupersededBy('/progress/:progress_id/update')
  @Throws('demo_account', 'state_conflict')
  @ApiOperation({
    summary: 'Tick a step, or cancel (older form)',
    description: 'Does what `POST /progress/{progress_id}/update` does, as GET. Kept for older clients.',
  })
  @ApiEnvelope(ProgressAnswerDto)
  updateByGet(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('progress_id') id: number,
    @Params() params: UpdateProgressParams,
  ): Promise<ProgressAnswerDto> {
    return this.guide.update(caller, id, params);
  }

  @Post(':progress_id/update')
  @RequireAnyPermission(Permission.Read, Permission.Write)
  @Throws('demo_account', 'state_conflict')
  @ApiOperation({
    summary: 'Tick a step, or cancel',
    description:
      'Marks a step of the tour as done or open, or cancels a job that can be cancelled. Your own tour needs ' +
      '`read`, all else `write`; steps that the service keeps itself cannot be set.',
  })
  @ApiEnvelope(ProgressAnswerDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('progress_id') id: number,
    @Params() params: UpdateProgressParams,
  ): Promise<ProgressAnswerDto> {
    return this.guide.update(caller, id, params);
  }
}
