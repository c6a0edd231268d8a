import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { inFormat } from '../../common/http/csv-answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AnomalySummaryService } from './anomaly-summary.service.js';
import { AnomalyService } from './anomaly.service.js';
import { AnomalySummaryAnswerDto, MetricAnomaliesDto } from './dto/anomaly-answers.dto.js';
import { AnomalySummaryParams, ListMetricAnomaliesParams, YhatTableParams } from './dto/anomaly.params.js';
import { tableOfYhat, YhatDto } from './dto/yhat.dto.js';
import { YhatService } from './yhat.service.js';

/** Results of the detector for one metric. */
@ApiTags('metric')
@Controller('metric/:metric_name')
export class MetricAnomalyController {
  constructor(
    private readonly anomalies: AnomalyService,
    private readonly summaries: AnomalySummaryService,
    private readonly ranges: YhatService,
  ) {}

  @Fetch('anomalies')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the anomalies of a metric',
    description:
      'Anomalies of one metric that overlap the window, page by page. The metric is named by its name or by ' +
      '`id:` and its number.',
  })
  @ApiEnvelope(MetricAnomaliesDto)
  list(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: ListMetricAnomaliesParams,
  ): Promise<MetricAnomaliesDto> {
    return this.anomalies.listOfMetric(caller, ref, params);
  }

  @Fetch('anomalysummary')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Count the anomalies of a metric',
    description:
      'Totals of the last days by kind and by day, with the first, the last and the longest anomaly. `days` ' +
      'says how far back the lists go.',
  })
  @ApiEnvelope(AnomalySummaryAnswerDto)
  summarise(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() { days }: AnomalySummaryParams,
  ): Promise<AnomalySummaryAnswerDto> {
    return this.summaries.getSummary(caller.org, ref, days);
  }

  @Fetch('yhat')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get the expected value and range of a metric',
    description:
      'What the detector expected of every slot of the window, with the observed value and the times that ' +
      'were anomalous. The range is replayed over the stored points; while there are too few of them, ' +
      '`available` is false and `reason` says why. `format=csv` answers a table with a row for each slot.',
  })
  @ApiEnvelope(YhatDto, { csv: true })
  findYhat(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: YhatTableParams,
  ): Promise<YhatDto | StreamableFile> {
    return inFormat(params.format, this.ranges.find(caller.org, ref, params), tableOfYhat);
  }
}
