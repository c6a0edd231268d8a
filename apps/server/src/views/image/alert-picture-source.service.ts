import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AlertPicturesService,
  type PictureSource,
  type PictureRequest,
} from '../../alerting/channel/alert-pictures.service.js';
import { serviceCaller } from '../../common/auth/caller.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { GraphDataService } from './graph-data.service.js';
import { ALL_SHOWN, type GraphDisplay, toMetricChart } from './metric-chart.js';

/** Draws the pictures of metrics in alerts: values, expected range, anomalies and matches, like its graph. */
@Injectable()
export class AlertPictureSourceService implements PictureSource, OnModuleInit {
  constructor(
    private readonly pictures: AlertPicturesService,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly data: GraphDataService,
    private readonly renderer: ChartRenderer,
  ) {}

  onModuleInit(): void {
    this.pictures.register(this);
  }

  async draw(request: PictureRequest, abandoned: AbortSignal): Promise<Uint8Array> {
    const { orgId, metricId, from, until, width, height, scale } = request;
    const [org, variables, metric] = await Promise.all([
      this.orgs.getById(orgId),
      this.orgs.getAnalysisVariables(orgId),
      this.metrics.resolve(orgId, { id: metricId }),
    ]);
    abandoned.throwIfAborted();
    const settings = { ...variables, timezone: org.timezone };
    const display: GraphDisplay = { ...DISPLAY, width, height, display_derivative: metric.type === 'counter' };
    const graph = { settings, metric, window: { from, until }, display, caller: serviceCaller(org, 0) };
    const [series, yhat, anomalies, matches] = await Promise.all([
      this.data.seriesOf(graph, 'none'),
      this.data.yhatOf(graph),
      this.data.anomaliesOf(graph),
      this.data.matchesOf(graph),
    ]);
    abandoned.throwIfAborted();
    const points = (display.display_derivative ? series.derivative : series.points) ?? [];
    const { timezone } = org;
    const chart = toMetricChart({ metric, from, until, timezone, points, yhat, anomalies, matches }, display);
    return this.renderer.render({ chart, format: 'png', scale }, orgId, abandoned);
  }
}

/** Mail programs use a light or a dark background; the picture has its own. */
const DISPLAY: Omit<GraphDisplay, 'width' | 'height' | 'display_derivative'> = {
  ...ALL_SHOWN,
  title: '',
  theme: 'light',
};
