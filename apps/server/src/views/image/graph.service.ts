import { Injectable, StreamableFile } from '@nestjs/common';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { DEFAULT_WINDOW_SECONDS, resolveWindow, type WindowInput } from '../../common/window/window.js';
import { HOUR } from '../../common/time.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import { type GraphDto } from './dto/graph.dto.js';
import { type AnomalyImageParams, type GraphParams, type MetricImageParams } from './dto/graph.params.js';
import { type Graph, GraphDataService } from './graph-data.service.js';
import { ALL_SHOWN, type GraphDisplay, hasComparableRange, METRIC_DISPLAY, toMetricChart } from './metric-chart.js';
import { refuseLargePicture } from './picture-area.js';
import { displayOf } from './picture-display.js';
import { type PictureFormat, PICTURE_TYPES } from './chart-request.js';

/** Pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** A picture of an anomaly continues for this time after its end. */
const TAIL_SECONDS = HOUR;

/** Graphs of metrics as pictures, pages and numbers. */
@Injectable()
export class GraphService {
  constructor(
    private readonly metrics: MetricService,
    private readonly data: GraphDataService,
    private readonly anomalies: AnomalyDetailsService,
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
    // In a path, the metric is part of the address; as a parameter it is a field.
    const metric = await this.metrics.resolve(caller.org.id, ref, 'metric' in query ? 'metric' : undefined);
    const display = withDerivative(query, metric);
    const graph = { caller, settings, metric, window, display };
    return query.format === 'json' ? this.numbers(graph) : this.draw(graph, query.format, head);
  }

  /** The 24 hours that end one hour after the anomaly, or now. */
  async ofAnomaly(caller: KnownCaller, query: AnomalyImageParams, head: AnswerHead): Promise<StreamableFile> {
    return this.draw(await this.graphOfAnomaly(caller, query), query.format, head);
  }

  /** The same as PNG, for other areas. */
  async pngOfAnomaly(caller: KnownCaller, anomalyId: number, size: PictureSize): Promise<Buffer> {
    return this.render(await this.graphOfAnomaly(caller, { ...size, anomaly_id: anomalyId, theme: 'light' }), 'png');
  }

  /** A metric over a window, by default the last 24 hours, as PNG. */
  async pngOfMetric(caller: KnownCaller, ref: MetricRef, query: PictureSize & WindowInput): Promise<Buffer> {
    const settings = await this.settingsOf(caller);
    const window = resolveWindow(query, this.clock.now(), settings.retention2PeriodSeconds);
    const metric = await this.metrics.resolve(caller.org.id, ref);
    const size = { ...sizeOf({ ...query, theme: 'light' }), title: '', display_derivative: metric.type === 'counter' };
    return this.render({ caller, settings, metric, window, display: { ...ALL_SHOWN, ...size } }, 'png');
  }

  private async graphOfAnomaly(caller: KnownCaller, query: Omit<AnomalyImageParams, 'format'>): Promise<Graph> {
    const { anomaly_id: id, metric: ref, timestamp } = query;
    const settings = await this.settingsOf(caller);
    const { anomaly } =
      ref !== undefined && timestamp !== undefined
        ? await this.anomalies.lookUpWith(settings, caller, { metric: ref, timestamp })
        : await this.anomalies.findWith(settings, caller, id ?? 0);
    const now = Math.floor(this.clock.now());
    const until = Math.min(now, (anomaly.until_timestamp ?? now) + TAIL_SECONDS);
    const metric = await this.metrics.resolve(caller.org.id, { id: anomaly.metric_id });
    const display = { ...ALL_SHOWN, ...sizeOf(query), title: '', display_derivative: metric.type === 'counter' };
    const window = { from: until - DEFAULT_WINDOW_SECONDS, until };
    return { caller, settings, metric, window, display };
  }

  /** Reads the organisation only once per graph. */
  private async settingsOf({ org }: KnownCaller): Promise<SeriesSettings> {
    return { ...(await this.orgs.getAnalysisVariables(org.id)), timezone: org.timezone };
  }

  private async draw(graph: Graph, format: PictureFormat, head: AnswerHead): Promise<StreamableFile> {
    const picture = await this.render(graph, format);
    setGraphPolicy(head, this.config.frameAncestors);
    return new StreamableFile(picture, { type: PICTURE_TYPES[format], length: picture.length });
  }

  private async render(graph: Graph, format: PictureFormat): Promise<Buffer> {
    const { caller, metric, window, display } = graph;
    refuseLargePicture(display, format);
    const series = await this.data.seriesOf(graph, 'none');
    const chart = toMetricChart(
      {
        metric,
        ...window,
        timezone: caller.org.timezone,
        points: (display.display_derivative ? series.derivative : series.points) ?? [],
        yhat: hasComparableRange(metric.type, display) ? await this.data.yhatOf(graph) : [],
        anomalies: display.display_anomalies ? await this.data.anomaliesOf(graph) : [],
        matches: display.display_matches ? await this.data.matchesOf(graph) : [],
      },
      display,
    );
    return Buffer.from(await this.renderer.render({ chart, format }, caller.org.id));
  }

  private async numbers(graph: Graph): Promise<GraphDto> {
    const { caller, settings, metric, window, display } = graph;
    const timeseries = await this.data.seriesOf(graph, 'null');
    const [record] = await this.metrics.describe(caller.org, [metric], settings);
    return {
      metric: record!,
      ...window,
      resolution_seconds: timeseries.resolution_seconds,
      timeseries,
      yhat: display.display_expected_range ? await this.data.yhatOf(graph) : [],
      anomalies: display.display_anomalies ? await this.data.anomaliesOf(graph) : [],
      matches: display.display_matches ? await this.data.matchesOf(graph) : [],
      display,
    };
  }
}

function sizeOf({
  width,
  height,
  theme,
}: Pick<AnomalyImageParams, 'width' | 'height' | 'theme'>): Pick<GraphDisplay, 'width' | 'height' | 'theme'> {
  return { width, height, theme };
}

/** Counters are drawn as rates, unless the request says otherwise. */
const withDerivative = (query: GraphParams | MetricImageParams, { type }: MetricRecord): GraphDisplay => ({
  ...displayOf(query, METRIC_DISPLAY),
  display_derivative: query.display_derivative ?? type === 'counter',
});
