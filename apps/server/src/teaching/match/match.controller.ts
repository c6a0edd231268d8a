import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MatchAnswerDto, MatchesDto, MatchValidatedDto, RecentlyMatchedDto } from './dto/match-answers.dto.js';
import {
  ListAllMatchesParams,
  ListMatchesParams,
  RecentlyMatchedParams,
  ValidateMatchParams,
} from './dto/match.params.js';
import { MatchService } from './match.service.js';
import { MatchValidationService } from './match-validation.service.js';

@ApiTags('match')
@Controller()
export class MatchController {
  constructor(
    private readonly matches: MatchService,
    private readonly validation: MatchValidationService,
  ) {}

  @Fetch('matches')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the matches of the organisation',
    description:
      'Moments that resembled a pattern, of all metrics, the newest first, page by page; with `validated` none those ' +
      'that wait for a verdict.',
  })
  @ApiEnvelope(MatchesDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListAllMatchesParams): Promise<MatchesDto> {
    return this.matches.list(caller, params);
  }

  @Fetch('match/:match_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a match',
    description: 'A moment that would have been an anomaly but resembled a pattern, with both curves.',
  })
  @ApiEnvelope(MatchAnswerDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('match_id') id: number,
    @Params() _params: NoParams,
  ): Promise<MatchAnswerDto> {
    return this.matches.find(caller, id);
  }

  @Post('match/:match_id/validate')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Judge whether a match was right',
    description:
      'A wrong match makes the pattern stricter and records the moment as an anomaly, without alerting. The ' +
      'verdict may be changed, or undone with null, with all its effects.',
  })
  @ApiEnvelope(MatchValidatedDto)
  validate(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('match_id') id: number,
    @Params() { valid }: ValidateMatchParams,
  ): Promise<MatchValidatedDto> {
    return this.validation.validate(caller, id, valid);
  }

  @Fetch('pattern/:pattern_id/matches')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the matches of a pattern',
    description: 'Moments that resembled the pattern, the newest first, page by page.',
  })
  @ApiEnvelope(MatchesDto)
  listOfPattern(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() params: ListMatchesParams,
  ): Promise<MatchesDto> {
    return this.matches.listOfPattern(caller, id, params);
  }

  @Fetch('metrics/mostrecentlymatched')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the metrics that matched a pattern last',
    description: 'One row for each metric with its latest match, the newest first.',
  })
  @ApiEnvelope(RecentlyMatchedDto)
  recentlyMatched(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: RecentlyMatchedParams,
  ): Promise<RecentlyMatchedDto> {
    return this.matches.recentlyMatched(caller, params);
  }
}
