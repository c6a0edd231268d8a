import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type NameForm, WantedNameForm } from './exposition.js';
import { FederationService } from './federation.service.js';
import { PrometheusLabelsService } from './prometheus-labels.service.js';
import { successOf } from './prometheus-answer.js';
import { type PrometheusParams, PrometheusQuery } from './prometheus-params.js';
import { PrometheusQueryService } from './prometheus-query.service.js';
import { PrometheusRoute } from './prometheus-route.decorator.js';

/** Reading like from a Prometheus server: for Grafana and other clients. Answers have the envelope of Prometheus. */
@ApiTags('prometheus')
@Controller('prometheus')
export class PrometheusController {
  constructor(
    private readonly queries: PrometheusQueryService,
    private readonly labels: PrometheusLabelsService,
    private readonly federation: FederationService,
  ) {}

  @PrometheusRoute('api/v1/query', {
    summary: 'Evaluate a PromQL selector at one time',
    description:
      'Stored metrics by their names and labels, any metric by `{metric="…"}`, and the derived series ' +
      '`plumbline_expected`, `plumbline_expected_lower`, `plumbline_expected_upper`, `plumbline_score` and ' +
      '`plumbline_anomalous`. A value holds for five minutes, or for three times the pace of a slower metric.',
    parameters: ['query*', 'time', 'timeout', 'lookback_delta', 'limit'],
  })
  query(@CurrentCaller() caller: KnownCaller, @PrometheusQuery() params: PrometheusParams): Promise<StreamableFile> {
    return this.queries.query(caller, params);
  }

  @PrometheusRoute('api/v1/query_range', {
    summary: 'Evaluate a PromQL selector at even steps of a window',
    description:
      'As `query`, at `start`, `start + step` and so on: up to 11,000 points of a series, two million in all. Functions, ' +
      'operators on series and subqueries are not supported.',
    parameters: ['query*', 'start*', 'end*', 'step*', 'timeout', 'lookback_delta', 'limit'],
  })
  queryRange(
    @CurrentCaller() caller: KnownCaller,
    @PrometheusQuery() params: PrometheusParams,
  ): Promise<StreamableFile> {
    return this.queries.queryRange(caller, params);
  }

  @PrometheusRoute('api/v1/series', {
    summary: 'List the series that selectors match',
    description: 'Their labels, of those with data in the window, up to 50,000. At least one selector is needed.',
    parameters: ['match[]*', 'start', 'end', 'limit', 'timeout'],
  })
  listSeries(
    @CurrentCaller() caller: KnownCaller,
    @PrometheusQuery() params: PrometheusParams,
  ): Promise<StreamableFile> {
    return this.labels.listSeries(caller, params);
  }

  @PrometheusRoute('api/v1/labels', {
    summary: 'List names of labels',
    description: 'Of all metrics, or of the series that selectors match, with data in the window.',
    parameters: ['match[]', 'start', 'end', 'limit', 'timeout'],
  })
  listLabels(
    @CurrentCaller() caller: KnownCaller,
    @PrometheusQuery() params: PrometheusParams,
  ): Promise<StreamableFile> {
    return this.labels.listLabels(caller, params);
  }

  @PrometheusRoute('api/v1/label/:name/values', {
    summary: 'List the values of a label',
    description: 'Of `__name__` the names of metrics without their labels, of `metric` their whole names.',
    parameters: ['match[]', 'start', 'end', 'limit', 'timeout'],
  })
  @ApiParam({ name: 'name', description: 'Name of the label', schema: { type: 'string' } })
  listLabelValues(
    @CurrentCaller() caller: KnownCaller,
    @Param('name') name: string,
    @PrometheusQuery() params: PrometheusParams,
  ): Promise<StreamableFile> {
    return this.labels.listLabelValues(caller, name, params);
  }

  @PrometheusRoute('api/v1/metadata', {
    summary: 'List types, units and descriptions of metrics',
    description: 'By name without labels, as senders give them; with the derived series.',
    parameters: ['metric', 'limit', 'limit_per_metric'],
  })
  listMetadata(
    @CurrentCaller() caller: KnownCaller,
    @PrometheusQuery() params: PrometheusParams,
  ): Promise<StreamableFile> {
    return this.labels.listMetadata(caller, params);
  }

  @PrometheusRoute('api/v1/rules', {
    summary: 'List the recording and alerting rules of Prometheus',
    description: 'There are none: `groups` is empty. Clients such as Grafana ask for them.',
    parameters: [],
  })
  listRules(): Promise<StreamableFile> {
    return successOf({ groups: [] });
  }

  @PrometheusRoute('api/v1/alerts', {
    summary: 'List the active alerts of the rules of Prometheus',
    description:
      'There are none: `alerts` is empty. Anomalies are in `plumbline_anomalous`, alerts in the API of Plumbline.',
    parameters: [],
  })
  listAlerts(): Promise<StreamableFile> {
    return successOf({ alerts: [] });
  }

  @PrometheusRoute('api/v1/query_exemplars', {
    summary: 'List the exemplars of series',
    description: 'Exemplars are not stored: the list is empty.',
    parameters: ['query*', 'start', 'end'],
  })
  listExemplars(@PrometheusQuery() params: PrometheusParams): Promise<StreamableFile> {
    return this.queries.listExemplars(params);
  }

  @PrometheusRoute('api/v1/status/buildinfo', {
    summary: 'Get the version of Prometheus that these calls correspond to',
    description:
      'Clients use it to find out which calls are supported. The version of Plumbline itself is in `revision`.',
    parameters: [],
  })
  getBuildInfo(): Promise<StreamableFile> {
    return this.labels.getBuildInfo();
  }

  @PrometheusRoute('federate', {
    summary: 'List the newest values of series for a Prometheus that scrapes them',
    description:
      'As `/federate` of Prometheus, in its text format. Names with characters that older versions do not support are ' +
      'escaped with underscores and get a label `metric`, unless the client accepts `escaping=allow-utf-8`.',
    parameters: ['match[]*', 'timeout'],
    text: true,
  })
  federate(
    @CurrentCaller() caller: KnownCaller,
    @PrometheusQuery() params: PrometheusParams,
    @WantedNameForm() form: NameForm,
  ): Promise<StreamableFile> {
    return this.federation.listNewest(caller, params, form);
  }
}
