import { Injectable } from '@nestjs/common';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { type MatchDto } from '../../teaching/match/match.dto.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Window } from '../../common/window/window.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type TimeseriesDto } from '../../data/metric/timeseries.dto.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { type GraphDisplay } from './metric-chart.js';

/** Number of values read per pixel; the chart keeps the extremes of each pixel. */
const POINTS_PER_PIXEL = 4;
const MAX_POINTS = 10_000;
const MAX_ANOMALIES = 1000;
const MAX_MATCHES = 1000;

/** The content of a graph. */
export interface Graph {
  caller: KnownCaller;
  settings: SeriesSettings;
  metric: MetricRecord;
  window: Window;
  display: GraphDisplay;
}

/** The part that does not depend on the caller. */
type GraphOfMetric = Omit<Graph, 'caller'>;

/** Reads the data of a graph: the values of the metric, its expected range, its anomalies and its matches. */
@Injectable()
export class GraphDataService {
  constructor(
    private readonly timeseries: TimeseriesService,
    private readonly expectations: YhatService,
    private readonly anomalies: AnomalyService,
    private readonly matches: MatchService,
  ) {}

  seriesOf({ settings, metric, window, display }: GraphOfMetric, fill: 'null' | 'none'): Promise<TimeseriesDto> {
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

  async yhatOf({ settings, metric, window, display }: GraphOfMetric) {
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

  async anomaliesOf({ caller, settings, metric, window }: Graph) {
    const page = { limit: MAX_ANOMALIES, offset: 0, order: 'newest' } as const;
    const query = { ...window, ...page };
    const answer = await this.anomalies.listOfMetricWith(settings, caller, { id: metric.id }, query);
    return answer.anomalies;
  }

  /** Newest first. */
  async matchesOf({ caller, metric, window }: Graph): Promise<MatchDto[]> {
    const page = { limit: MAX_MATCHES, offset: 0 };
    return (await this.matches.listOfMetric(caller, metric.id, window, page)).matches;
  }
}

function pointsFor({ width }: GraphDisplay): number {
  return Math.min(MAX_POINTS, POINTS_PER_PIXEL * width);
}
