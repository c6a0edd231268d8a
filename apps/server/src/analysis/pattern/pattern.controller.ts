import { Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import {
  PatternAnswerDto,
  PatternChangedDto,
  PatternsDto,
  PatternTimeseriesDto,
  PendingPatternsDto,
} from './dto/pattern-answers.dto.js';
import {
  DisablePatternParams,
  ListAllPatternsParams,
  ListPatternsParams,
  ListPendingPatternsParams,
  PatternTimeseriesParams,
  UpdatePatternParams,
} from './dto/pattern.params.js';
import { PatternListService } from './pattern-list.service.js';
import { PatternService } from './pattern.service.js';

@ApiTags('pattern')
@Controller()
export class PatternController {
  constructor(
    private readonly patterns: PatternService,
    private readonly lists: PatternListService,
  ) {}

  @Fetch('patterns')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the patterns of the organisation',
    description:
      'Of all metrics, page by page; with `waiting` those that the product created, which take effect once a ' +
      'person has judged them.',
  })
  @ApiEnvelope(PatternsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListAllPatternsParams): Promise<PatternsDto> {
    return this.lists.list(caller, params);
  }

  @Fetch('patterns/pending')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the patterns that are being built',
    description: 'Trainings whose patterns wait for data or for their turn, the oldest first.',
  })
  @ApiEnvelope(PendingPatternsDto)
  listPending(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: ListPendingPatternsParams,
  ): Promise<PendingPatternsDto> {
    return this.lists.listPending(caller, params);
  }

  @Fetch('pattern/:pattern_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a pattern and its relatives',
    description: 'One pattern with those that were derived from it, or that it was derived from.',
  })
  @ApiEnvelope(PatternAnswerDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() _params: NoParams,
  ): Promise<PatternAnswerDto> {
    return this.patterns.find(caller, id);
  }

  @Put('pattern/:pattern_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Change a pattern',
    description:
      'Label, verdict, enabled or disabled. A disabled pattern is kept but no longer compared, nor are those that ' +
      'were derived from it. This takes effect at the next check.',
  })
  @ApiEnvelope(PatternChangedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() params: UpdatePatternParams,
  ): Promise<PatternChangedDto> {
    return this.patterns.update(caller, id, params);
  }

  @Fetch('pattern/:pattern_id/disable')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/pattern/:pattern_id')
  @ApiOperation({
    summary: 'Disable a pattern (older form)',
    description: 'Does what `PUT /pattern/{pattern_id}` with `enabled` false does, also as GET.',
  })
  @ApiEnvelope(PatternChangedDto)
  disable(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() { children }: DisablePatternParams,
  ): Promise<PatternChangedDto> {
    return this.patterns.update(caller, id, { enabled: false, children });
  }

  @Fetch('pattern/:pattern_id/timeseries')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get the curve of a pattern',
    description: 'The shape as it is compared: the time before in long slots, then the anomalous part.',
  })
  @ApiEnvelope(PatternTimeseriesDto)
  timeseries(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() { max_points: maxPoints }: PatternTimeseriesParams,
  ): Promise<PatternTimeseriesDto> {
    return this.patterns.timeseries(caller, id, maxPoints);
  }

  @Fetch('metric/:metric_name/patterns')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the patterns of a metric',
    description:
      'Shapes that were trained or learnt for it, page by page, with how often each was compared and matched.',
  })
  @ApiEnvelope(PatternsDto)
  listOfMetric(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: ListPatternsParams,
  ): Promise<PatternsDto> {
    return this.lists.listOfMetric(caller, ref, params);
  }
}
