import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AnomalyRankingService } from './anomaly-ranking.service.js';
import { MostAnomalousDto, MostRecentlyAnomalousDto } from './dto/anomaly-ranking.dto.js';
import { MostAnomalousParams, MostRecentlyAnomalousParams } from './dto/anomaly-ranking.params.js';

@ApiTags('metric')
@Controller('metrics')
export class AnomalyRankingController {
  constructor(private readonly ranking: AnomalyRankingService) {}

  @Fetch('mostanomalous')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the most anomalous metrics',
    description: 'Metrics with anomalies in the window, by the sum of their scores.',
  })
  @ApiEnvelope(MostAnomalousDto)
  listMost(@CurrentCaller() caller: KnownCaller, @Params() params: MostAnomalousParams): Promise<MostAnomalousDto> {
    return this.ranking.mostAnomalous(caller.org, params);
  }

  @Fetch('mostrecentlyanomalous')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the metrics that were anomalous last',
    description: 'One row for each metric with its newest anomaly.',
  })
  @ApiEnvelope(MostRecentlyAnomalousDto)
  listRecent(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: MostRecentlyAnomalousParams,
  ): Promise<MostRecentlyAnomalousDto> {
    return this.ranking.mostRecently(caller.org, params);
  }
}
