import { Controller, Delete } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricDeletedDto } from './dto/metric-removal.dto.js';
import { DryRunParams } from './dto/quota.params.js';
import { MetricRemovalService } from './metric-removal.service.js';

@ApiTags('metric')
@Controller()
export class MetricRemovalController {
  constructor(private readonly removal: MetricRemovalService) {}

  @Delete('metric/:metric_name')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Erase a metric and everything derived from it; cannot be undone',
    description:
      'Deletes the points, anomalies and everything learnt about the metric, as a job in the background. ' +
      '`dry_run` counts what would be deleted and changes nothing.',
  })
  @ApiEnvelope(MetricDeletedDto)
  erase(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() { dry_run: isDry }: DryRunParams,
  ): Promise<MetricDeletedDto> {
    return this.removal.erase(caller, ref, isDry);
  }
}
