import { Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { RateLimit, rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { SourceAnswerDto, SourceChangedDto, SourcesDto, SourceTestedDto, SourceUpdatedDto } from './dto/source.dto.js';
import { CreateSourceParams, ListSourcesParams, TestSourceParams, UpdateSourceParams } from './dto/source.params.js';
import { SourceTestService } from './source-test.service.js';
import { SourceService } from './source.service.js';

/** Test queries of one session or token. */
const SOURCE_TESTS = rateLimit({
  name: 'sourceTests',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});

@ApiTags('source')
@Controller()
export class SourceController {
  constructor(
    private readonly sources: SourceService,
    private readonly tests: SourceTestService,
  ) {}

  @Fetch('sources')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the sources',
    description: 'All queries that are fetched, with their state and the number of series.',
  })
  @ApiEnvelope(SourcesDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListSourcesParams): Promise<SourcesDto> {
    return this.sources.list(caller, params);
  }

  @Post('source/test')
  @RequirePermissions(Permission.Admin)
  @RateLimit(SOURCE_TESTS)
  @Throws('not_found', 'address_not_allowed', 'upstream_failed')
  @ApiOperation({
    summary: 'Try a source without storing it',
    description:
      'Runs the query once over the last ten intervals and answers the series that it found, or what went wrong.',
  })
  @ApiEnvelope(SourceTestedDto)
  test(@CurrentCaller() caller: KnownCaller, @Params() params: TestSourceParams): Promise<SourceTestedDto> {
    return this.tests.test(caller, params);
  }

  @Post('source')
  @RequirePermissions(Permission.Admin)
  @Throws('already_exists', 'limit_reached', 'address_not_allowed')
  @ApiOperation({
    summary: 'Create a source',
    description:
      'A query at another system whose results are fetched at an interval and analysed like points that are sent. The past is ' +
      'fetched first and causes no alerts.',
  })
  @ApiEnvelope(SourceChangedDto)
  create(@CurrentCaller() caller: KnownCaller, @Params() params: CreateSourceParams): Promise<SourceChangedDto> {
    return this.sources.create(caller, params);
  }

  @Fetch('source/:source_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a source',
    description: 'Its query, interval and state, with the last success and the last error. Secrets are never shown.',
  })
  @ApiEnvelope(SourceAnswerDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('source_id', 'Id of the source') id: number,
    @Params() _params: NoParams,
  ): Promise<SourceAnswerDto> {
    return this.sources.get(caller, id);
  }

  @Put('source/:source_id')
  @RequirePermissions(Permission.Admin)
  @Throws('already_exists', 'address_not_allowed')
  @ApiOperation({
    summary: 'Change a source',
    description:
      'Only the members that are sent change; secrets that are not sent stay, unless the address changes. What was fetched stays.',
  })
  @ApiEnvelope(SourceUpdatedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('source_id', 'Id of the source') id: number,
    @Params() params: UpdateSourceParams,
  ): Promise<SourceUpdatedDto> {
    return this.sources.update(caller, id, params);
  }

  @Delete('source/:source_id')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Delete a source',
    description: 'Nothing more is fetched; the metrics that it brought stay.',
  })
  @ApiEnvelope(SourceChangedDto)
  delete(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('source_id', 'Id of the source') id: number,
    @Params() _params: NoParams,
  ): Promise<SourceChangedDto> {
    return this.sources.delete(caller, id);
  }
}
