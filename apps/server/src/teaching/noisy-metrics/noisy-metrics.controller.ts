import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { NoisyMetricsService } from './noisy-metrics.service.js';
import { NoisiestDto } from './dto/noisy-metrics.dto.js';
import { NoisiestParams } from './dto/noisy-metrics.params.js';

@ApiTags('metric')
@Controller('metrics')
export class NoisyMetricsController {
  constructor(private readonly noisy: NoisyMetricsService) {}

  @Fetch('noisiest')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the noisiest metrics',
    description:
      'Anomalies and alerts of each metric with their outcomes and a suggestion: train, tune or exclude. The ' +
      'window is that of the last 30 days unless `from` says otherwise. A tuning that is suggested can be sent to POST /tuning as it is.',
  })
  @ApiEnvelope(NoisiestDto)
  noisiest(@CurrentCaller() caller: KnownCaller, @Params() params: NoisiestParams): Promise<NoisiestDto> {
    return this.noisy.listNoisiest(caller, params);
  }
}
