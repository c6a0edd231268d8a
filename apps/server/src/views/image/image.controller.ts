import { Controller, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { MetricRefParam } from '../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { Params } from '../../common/validation/params.decorator.js';
import { OrgCountsDto } from '../organisation/org-counts.dto.js';
import { GraphDto } from './dto/graph.dto.js';
import { AnomalyImageParams, GraphParams, MetricImageParams, OrgGraphParams } from './dto/graph.params.js';
import { GraphService } from './graph.service.js';
import { GraphAnswer, Picture, PNG, SVG } from './picture.decorators.js';
import { OrgGraphService } from './org-graph.service.js';

@ApiTags('image')
@Controller()
export class ImageController {
  constructor(
    private readonly graphs: GraphService,
    private readonly orgGraphs: OrgGraphService,
  ) {}

  @Fetch('metric/:metric_name/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the graph of a metric as page, picture or numbers',
    description:
      'Values, expected range and anomalies of the window; `format` chooses HTML, SVG, PNG or JSON. A signed ' +
      'address of the service opens it without a credential.',
  })
  @GraphAnswer(GraphDto)
  graph(
    @CurrentCaller() caller: KnownCaller,
    @MetricRefParam('metric_name') ref: MetricRef,
    @Params() params: GraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | GraphDto> {
    return this.graphs.ofMetric(caller, ref, params, head);
  }

  @Fetch('org/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the counts of the organisation over time as page, picture or numbers',
    description:
      'Anomalies, matches, alerts, points or metrics in time buckets; `format` chooses HTML, SVG, PNG or JSON. ' +
      'A signed address of the service opens it without a credential.',
  })
  @GraphAnswer(OrgCountsDto)
  orgGraph(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: OrgGraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | OrgCountsDto> {
    return this.orgGraphs.graph(caller, params, head);
  }

  @Fetch('image/metric')
  @Picture()
  @Throws('not_found')
  @ApiOperation({
    summary: 'Get a picture of a metric',
    description:
      'The graph of the metric as PNG or SVG, for mails, chats and dashboards. A signed address of the service ' +
      'opens it without a credential.',
  })
  @ApiOkResponse({ description: 'OK', content: { ...PNG, ...SVG } })
  metricImage(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: MetricImageParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | GraphDto> {
    return this.graphs.ofMetric(caller, params.metric, params, head);
  }

  @Fetch('image/anomaly')
  @Picture()
  @Throws('not_found')
  @ApiOperation({
    summary: 'Get a picture of the day of an anomaly',
    description:
      'The 24 hours that end one hour after the anomaly, or now, as PNG or SVG. The anomaly is named by its ' +
      'id, or by metric and time.',
  })
  @ApiOkResponse({ description: 'OK', content: { ...PNG, ...SVG } })
  anomalyImage(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: AnomalyImageParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile> {
    return this.graphs.ofAnomaly(caller, params, head);
  }
}
