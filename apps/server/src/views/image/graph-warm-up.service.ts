import { Injectable } from '@nestjs/common';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { DEFAULT_WINDOW_SECONDS } from '../../common/window/window.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { GraphDataService } from './graph-data.service.js';
import { GraphWarmUpRepository } from './graph-warm-up.repository.js';
import { ALL_SHOWN, type GraphDisplay, toMetricChart } from './metric-chart.js';

/**
 * Draws a graph that is discarded, before the process is ready: the path from the database to the picture is slow the
 * first time (connections, statements, code that is not compiled yet), and most of that is the same for every metric.
 */
@Injectable()
export class GraphWarmUpService {
  constructor(
    warmUp: WarmUp,
    private readonly some: GraphWarmUpRepository,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly data: GraphDataService,
    private readonly renderer: ChartRenderer,
  ) {
    warmUp.register('graphs', () => this.run());
  }

  private async run(): Promise<void> {
    const found = await this.some.anyMetric();
    if (found === null) return;
    const { id, orgId, timezone } = found;
    const settings = { ...(await this.orgs.getAnalysisVariables(orgId)), timezone };
    const metric = await this.metrics.resolve(orgId, { id });
    const until = Math.floor(metric.lastTimestamp ?? 0);
    const window = { from: until - DEFAULT_WINDOW_SECONDS, until };
    const graph = { settings, metric, window, display: DISPLAY };
    const { points } = await this.data.seriesOf(graph, 'none');
    const yhat = await this.data.yhatOf(graph);
    const chart = toMetricChart({ metric, ...window, timezone, points, yhat, anomalies: [], matches: [] }, DISPLAY);
    await this.renderer.render({ chart, format: 'png' }, orgId);
  }
}

const DISPLAY: GraphDisplay = {
  ...ALL_SHOWN,
  title: '',
  display_derivative: false,
  width: 800,
  height: 300,
  theme: 'light',
};
