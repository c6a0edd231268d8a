import { Controller, Delete, Post, Put, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch, FETCH_ROUTE } from '../../common/http/fetch.decorator.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { RateLimit, rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { TuningAnswerDto, TuningChangedDto, TuningPreviewDto, TuningsDto } from './dto/tuning.dto.js';
import { CreateTuningParams, ListTuningsParams, PreviewTuningParams, UpdateTuningParams } from './dto/tuning.params.js';
import { TuningPreviewService } from './tuning-preview.service.js';
import { TuningService } from './tuning.service.js';

/** Previews of one session or token. */
const TUNING_PREVIEWS = rateLimit({
  name: 'tuningPreviews',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});

@ApiTags('tuning')
@Controller()
export class TuningController {
  constructor(
    private readonly tunings: TuningService,
    private readonly previews: TuningPreviewService,
  ) {}

  @Fetch('tunings')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the settings of detection',
    description: 'All sets, or those that apply to one metric with the winning one first.',
  })
  @ApiEnvelope(TuningsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListTuningsParams): Promise<TuningsDto> {
    return this.tunings.list(caller, params);
  }

  @Post('tuning')
  @RequirePermissions(Permission.Write)
  @Throws('limit_reached')
  @ApiOperation({
    summary: 'Create settings of detection for some metrics',
    description:
      'Sensitivity, direction, kinds, least duration and size, and the budget of false alarms for the metrics that chips ' +
      'select. Where several apply, the one with most chips wins, then the newest. Takes effect within a minute for new points.',
  })
  @ApiEnvelope(TuningChangedDto)
  create(@CurrentCaller() caller: KnownCaller, @Params() params: CreateTuningParams): Promise<TuningChangedDto> {
    return this.tunings.create(caller, params);
  }

  @Post('tuning/preview')
  @SetMetadata(FETCH_ROUTE, true)
  @RequirePermissions(Permission.Read)
  @RateLimit(TUNING_PREVIEWS)
  @ApiOperation({
    summary: 'Try settings of detection on the past',
    description:
      'Replays some of the metrics with the current and the proposed settings, and returns the anomalies of ' +
      'both. Nothing is stored.',
  })
  @ApiEnvelope(TuningPreviewDto)
  preview(@CurrentCaller() caller: KnownCaller, @Params() params: PreviewTuningParams): Promise<TuningPreviewDto> {
    return this.previews.preview(caller, params);
  }

  @Fetch('tuning/:tuning_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get settings of detection',
    description: 'One set of settings with the number of metrics that it applies to.',
  })
  @ApiEnvelope(TuningAnswerDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('tuning_id') id: number,
    @Params() _params: NoParams,
  ): Promise<TuningAnswerDto> {
    return this.tunings.get(caller, id);
  }

  @Put('tuning/:tuning_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Change settings of detection',
    description: 'Members that are not sent stay unchanged. Nothing is relearnt, except where the period changes.',
  })
  @ApiEnvelope(TuningChangedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('tuning_id') id: number,
    @Params() params: UpdateTuningParams,
  ): Promise<TuningChangedDto> {
    return this.tunings.update(caller, id, params);
  }

  @Delete('tuning/:tuning_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Delete settings of detection',
    description: 'The metrics then use the next set that applies, or the default.',
  })
  @ApiEnvelope(TuningChangedDto)
  delete(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('tuning_id') id: number,
    @Params() _params: NoParams,
  ): Promise<TuningChangedDto> {
    return this.tunings.delete(caller, id);
  }
}
