import { Controller, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { AnnotationsDto, PanelDto } from './dto/dashboard.dto.js';
import { DashboardParams, OrgDashboardParams } from './dto/dashboard.params.js';
import { MetricDashboardService } from './metric-dashboard.service.js';
import { OrgDashboardService } from './org-dashboard.service.js';

@ApiTags('dashboard')
@Controller('dashboard')
export class DashboardController {
  constructor(
    private readonly metrics: MetricDashboardService,
    private readonly orgs: OrgDashboardService,
  ) {}

  @Fetch('metric/:metric_name/anomalies')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the anomalies of a metric as annotations of a dashboard',
    description: 'For data sources that read JSON, such as those of Grafana. Times are in milliseconds.',
  })
  @ApiEnvelope(AnnotationsDto)
  listAnomalies(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: DashboardParams,
  ): Promise<AnnotationsDto> {
    return this.metrics.annotations(caller, ref, params);
  }

  @Fetch('metric/:metric_name/matches')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the matches of a metric as annotations of a dashboard',
    description: 'Moments that resembled a pattern. Times are in milliseconds, `timeEnd` is the same as `time`.',
  })
  @ApiEnvelope(AnnotationsDto)
  listMatches(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: DashboardParams,
  ): Promise<AnnotationsDto> {
    return this.metrics.matchAnnotations(caller, ref, params);
  }

  @Fetch('org/:panel_name')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a panel of the organisation for a dashboard',
    description:
      'Columns and flat rows of one panel, such as the newest anomalies, incidents or events. The answer names all ' +
      'panels there are.',
  })
  @ApiEnvelope(PanelDto)
  findOrgPanel(
    @CurrentCaller() caller: KnownCaller,
    @Param('panel_name') name: string,
    @Params() params: OrgDashboardParams,
  ): Promise<PanelDto> {
    return this.orgs.panel(caller, name, params);
  }

  @Fetch(':metric_name/:panel_name')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a panel of a metric for a dashboard',
    description:
      'Columns and flat rows of one panel, such as its values, range or anomalies. The answer names all panels ' +
      'there are.',
  })
  @ApiEnvelope(PanelDto)
  findPanel(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Param('panel_name') name: string,
    @Params() params: DashboardParams,
  ): Promise<PanelDto> {
    return this.metrics.panel(caller, ref, name, params);
  }
}
