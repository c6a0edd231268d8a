import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricBundleDto } from './dto/metric-bundle.dto.js';
import { MetricBundleParams } from './dto/metric-bundle.params.js';
import { MetricBundleService } from './metric-bundle.service.js';

@ApiTags('metric')
@Controller()
export class MetricBundleController {
  constructor(private readonly bundles: MetricBundleService) {}

  @Fetch('metric/:metric_name/bundle')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get what a page about a metric shows, in one answer',
    description:
      'Values, expected range, anomalies, matches and patterns of the window; `include` chooses. Each part is as its ' +
      'own call answers it, with the first 1000 rows.',
  })
  @ApiEnvelope(MetricBundleDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: MetricBundleParams,
  ): Promise<MetricBundleDto> {
    return this.bundles.find(caller, ref, params);
  }
}
