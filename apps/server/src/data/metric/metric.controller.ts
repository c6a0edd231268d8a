import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { inFormat } from '../../common/http/csv-answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { MetricRefParam } from '../metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../metric-ref/metric-ref.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ListMetricsParams, SearchMetricsParams } from './dto/list-metrics.params.js';
import { MetricAnswerDto, MetricSearchDto, MetricsDto } from './dto/metric-answers.dto.js';
import { TimeseriesTableParams } from './dto/timeseries.params.js';
import { MetricService } from './metric.service.js';
import { TimeseriesService } from './timeseries.service.js';
import { tableOfTimeseries, TimeseriesDto } from './timeseries.dto.js';

@ApiTags('metric')
@Controller()
export class MetricController {
  constructor(
    private readonly metrics: MetricService,
    private readonly timeseries: TimeseriesService,
  ) {}

  @Fetch('metrics')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the metrics of the organisation',
    description:
      'Metrics with their state, last value and what the detector knows of them, page by page. Removed metrics ' +
      'are listed only when `state` asks for them. A total of 100,000 or more may be half a minute old.',
  })
  @ApiEnvelope(MetricsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListMetricsParams): Promise<MetricsDto> {
    return this.metrics.list(caller.org, params);
  }

  @Fetch('metrics/search')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Search metrics by text or chips, with chips that narrow further',
    description:
      'Give either a text or chips. The answer has references to the metrics, and up to twenty chips that ' +
      'would narrow the list, with the number of metrics of each.',
  })
  @ApiEnvelope(MetricSearchDto)
  search(@CurrentCaller() caller: KnownCaller, @Params() params: SearchMetricsParams): Promise<MetricSearchDto> {
    return this.metrics.search(caller.org, params);
  }

  @Fetch('metric/:metric_name')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a metric',
    description:
      'One metric with its type, state, readiness for detection, watchers and exclusions. It is named by its ' +
      'name, percent-encoded as one segment, or by `id:` and its number.',
  })
  @ApiEnvelope(MetricAnswerDto)
  find(@CurrentCaller() caller: KnownCaller, @MetricRefParam('metric_name') ref: MetricRef): Promise<MetricAnswerDto> {
    return this.metrics.find(caller, ref);
  }

  @Fetch('metric/:metric_name/timeseries')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get the values of a metric over time',
    description:
      'Stored points of the window as `[timestamp, value]`, aggregated to the finest resolution that fits ' +
      '`max_points`. Counters come with their rate per second. `format=csv` answers a table with the columns timestamp ' +
      'and value, and with those of the envelope and the rate where there are any.',
  })
  @ApiEnvelope(TimeseriesDto, { csv: true })
  findTimeseries(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: TimeseriesTableParams,
  ): Promise<TimeseriesDto | StreamableFile> {
    return inFormat(params.format, this.timeseries.find(caller.org, ref, params), tableOfTimeseries);
  }
}
