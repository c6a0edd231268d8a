import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { QuotaMetricsDto, QuotaRemovalDto } from './dto/metric-removal.dto.js';
import { QuotaMetricsParams, QuotaRemovalParams } from './dto/quota.params.js';
import { MetricQuotaService } from './metric-quota.service.js';

@ApiTags('org')
@Controller('org')
export class MetricQuotaController {
  constructor(private readonly quota: MetricQuotaService) {}

  @Fetch('getquotametrics')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the metrics that count against the quota',
    description:
      'Names in alphabetical order, with how much of the limit is used and what is left. Chips select some of ' +
      'them.',
  })
  @ApiEnvelope(QuotaMetricsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: QuotaMetricsParams): Promise<QuotaMetricsDto> {
    return this.quota.list(caller.org.id, params);
  }

  @Get('removequotametrics')
  @RequirePermissions(Permission.Admin)
  @SideEffect()
  @SupersededBy('/org/removequotametrics')
  @ApiOperation({
    summary: 'Remove metrics from the quota (older form)',
    description: 'Does what `POST /org/removequotametrics` does, as GET. Kept for older clients.',
  })
  @ApiEnvelope(QuotaRemovalDto)
  removeByGet(@CurrentCaller() caller: KnownCaller, @Params() params: QuotaRemovalParams): Promise<QuotaRemovalDto> {
    return this.quota.remove(caller, params);
  }

  @Post('removequotametrics')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Remove metrics from the quota',
    description:
      'The metrics that the chips select leave the quota, the lists and detection; their open anomalies close. ' +
      'A metric that sends again counts again. `dry_run` lists them without a change.',
  })
  @ApiEnvelope(QuotaRemovalDto)
  remove(@CurrentCaller() caller: KnownCaller, @Params() params: QuotaRemovalParams): Promise<QuotaRemovalDto> {
    return this.quota.remove(caller, params);
  }
}
