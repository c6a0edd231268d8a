import { Injectable, StreamableFile } from '@nestjs/common';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { DEFAULT_WINDOW_SECONDS, resolveWindow, type Window } from '../../common/window/window.js';
import { HOUR } from '../../common/time.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type TimeseriesDto } from '../../data/metric/timeseries.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { ChartRenderer } from './chart-renderer.js';
import { contentPolicy } from './content-policy.js';
import { type GraphDto } from './dto/graph.dto.js';
import { type AnomalyImageParams, type GraphParams, type MetricImageParams } from './dto/graph.params.js';
import { type GraphDisplay, hasComparableRange, toMetricChart } from './metric-chart.js';
import { type PictureFormat, PICTURE_TYPES } from './render-chart.js';

/** Values per pixel that are fetched; the chart keeps the extremes of each pixel. */
const POINTS_PER_PIXEL = 4;
const MOST_POINTS = 10_000;
const MOST_ANOMALIES = 1000;
/** A picture of an anomaly goes on for so long after its end. */
const TAIL_SECONDS = HOUR;

/** What a graph is made of. */
interface Graph {
  caller: KnownCaller;
  settings: SeriesSettings;
  metric: MetricRecord;
  window: Window;
  display: GraphDisplay;
}

/** Graphs of metrics as pictures, pages and numbers. */
@Injectable()
export class GraphService {
  constructor(
    private readonly metrics: MetricService,
    private readonly timeseries: TimeseriesService,
    private readonly expectations: YhatService,
    private readonly anomalies: AnomalyService,
    private readonly orgs: OrgService,
    private readonly renderer: ChartRenderer,
    private readonly clock: Clock,
    private readonly config: ServerConfig,
  ) {}

  async ofMetric(
    caller: KnownCaller,
    ref: MetricRef,
    query: GraphParams | MetricImageParams,
    head: AnswerHead,
  ): Promise<StreamableFile | GraphDto> {
    const settings = await this.settingsOf(caller);
    const window = resolveWindow(query, this.clock.now(), settings.retention2PeriodSeconds);
    // In a path the metric is the address, among the parameters it is a field.
    const metric = await this.metrics.resolve(caller.org.id, ref, 'metric' in query ? 'metric' : undefined);
    const display = displayOf(query, metric);
    const graph = { caller, settings, metric, window, display };
    return query.format === 'json' ? this.numbers(graph) : this.draw(graph, query.format, head);
  }

  /** The day that ends an hour after the anomaly, or now. */
  async ofAnomaly(caller: KnownCaller, query: AnomalyImageParams, head: AnswerHead): Promise<StreamableFile> {
    const { anomaly_id: id, metric: ref, timestamp } = query;
    const settings = await this.settingsOf(caller);
    const { anomaly } =
      ref !== undefined && timestamp !== undefined
        ? await this.anomalies.lookUp(caller, { metric: ref, timestamp }, settings)
        : await this.anomalies.find(caller, id ?? 0, settings);
    const now = Math.floor(this.clock.now());
    const until = Math.min(now, (anomaly.until_timestamp ?? now) + TAIL_SECONDS);
    const metric = await this.metrics.resolve(caller.org.id, { id: anomaly.metric_id });
    const display = { ...ALL_SHOWN, ...sizeOf(query), title: '', display_derivative: metric.type === 'counter' };
    const window = { from: until - DEFAULT_WINDOW_SECONDS, until };
    return this.draw({ caller, settings, metric, window, display }, query.format, head);
  }

  /** The organisation is read once for a graph. */
  private async settingsOf({ org }: KnownCaller): Promise<SeriesSettings> {
    return { ...(await this.orgs.getAnalysisVariables(org.id)), timezone: org.timezone };
  }

  private async draw(graph: Graph, format: PictureFormat, head: AnswerHead): Promise<StreamableFile> {
    const { caller, metric, window, display } = graph;
    const series = await this.seriesOf(graph, 'none');
    const chart = toMetricChart(
      {
        metric,
        ...window,
        timezone: caller.org.timezone,
        points: (display.display_derivative ? series.derivative : series.points) ?? [],
        yhat: hasComparableRange(metric.type, display) ? await this.yhatOf(graph) : [],
        anomalies: display.display_anomalies ? await this.anomaliesOf(graph) : [],
      },
      display,
    );
    const picture = await this.renderer.render({ chart, format });
    head.setHeader('Content-Security-Policy', contentPolicy(this.config.frameAncestors));
    return new StreamableFile(picture, { type: PICTURE_TYPES[format], length: picture.length });
  }

  private async numbers(graph: Graph): Promise<GraphDto> {
    const { caller, settings, metric, window, display } = graph;
    const timeseries = await this.seriesOf(graph, 'null');
    const [record] = await this.metrics.describe(caller.org, [metric], settings);
    return {
      metric: record!,
      ...window,
      resolution_seconds: timeseries.resolution_seconds,
      timeseries,
      yhat: display.display_expected_range ? await this.yhatOf(graph) : [],
      anomalies: display.display_anomalies ? await this.anomaliesOf(graph) : [],
      matches: [],
      display,
    };
  }

  private seriesOf({ settings, metric, window, display }: Graph, fill: 'null' | 'none'): Promise<TimeseriesDto> {
    const request = {
      ...window,
      maxPoints: pointsFor(display),
      function: 'avg',
      envelope: false,
      derivative: display.display_derivative,
      fill,
    } as const;
    return this.timeseries.read(metric, request, settings);
  }

  private async yhatOf({ settings, metric, window, display }: Graph) {
    const request = {
      ...window,
      maxPoints: pointsFor(display),
      includeValue: true,
      includeMean: true,
      includeRealLower: true,
      includePeriods: false,
    };
    const answer = await this.expectations.read(metric, request, settings);
    return answer.yhat;
  }

  private async anomaliesOf({ caller, settings, metric, window }: Graph) {
    const page = { limit: MOST_ANOMALIES, offset: 0, order: 'newest' } as const;
    const query = { ...window, ...page };
    const answer = await this.anomalies.listOfMetric(caller, { id: metric.id }, query, settings);
    return answer.anomalies;
  }
}

const ALL_SHOWN = {
  display_x_axis: 'below',
  display_y_axis: 'right',
  display_legend: true,
  display_anomalies: true,
  display_matches: true,
  display_expected_range: true,
} as const;

function sizeOf({ width, height, theme }: AnomalyImageParams): Pick<GraphDisplay, 'width' | 'height' | 'theme'> {
  return { width, height, theme };
}

function displayOf(query: GraphParams | MetricImageParams, metric: MetricRecord): GraphDisplay {
  return {
    display_x_axis: query.display_x_axis,
    display_y_axis: query.display_y_axis,
    display_legend: query.display_legend,
    display_anomalies: query.display_anomalies,
    display_matches: query.display_matches,
    display_expected_range: query.display_expected_range,
    display_derivative: query.display_derivative ?? metric.type === 'counter',
    width: query.width,
    height: query.height,
    theme: query.theme,
    title: query.title,
  };
}

function pointsFor({ width }: GraphDisplay): number {
  return Math.min(MOST_POINTS, POINTS_PER_PIXEL * width);
}
