import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { HEAVY_REQUESTS } from '../../common/http/rate-limit.config.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { RelatedDto } from './dto/related.dto.js';
import { RelatedParams } from './dto/related.params.js';
import { RelatedService } from './related.service.js';

@ApiTags('metric')
@Controller('metric/:metric_name')
export class RelatedController {
  constructor(private readonly related: RelatedService) {}

  @Fetch('related')
  @RequirePermissions(Permission.Read)
  @RateLimit(HEAVY_REQUESTS)
  @ApiOperation({
    summary: 'List the metrics that are related to a metric',
    description:
      'Metrics that move with it, with the lag at which they do, that were anomalous in the same incidents, or that ' +
      'share labels or a part of the name. At most 100 candidates are compared, over the window.',
  })
  @ApiEnvelope(RelatedDto)
  list(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: RelatedParams,
  ): Promise<RelatedDto> {
    return this.related.find(caller.org, ref, params);
  }
}
