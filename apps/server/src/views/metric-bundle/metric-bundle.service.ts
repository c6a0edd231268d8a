import { Injectable } from '@nestjs/common';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { PatternListService } from '../../analysis/pattern/pattern-list.service.js';
import { RelatedService } from '../../analysis/related/related.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { type MetricBundleDto } from './dto/metric-bundle.dto.js';
import { type BundlePart, type MetricBundleParams } from './dto/metric-bundle.params.js';

export interface PartRequest {
  caller: KnownCaller;
  ref: { id: number };
  window: Window;
  maxPoints: number;
}

const PAGE = { limit: 1000, offset: 0 } as const;
const MAX_RELATED = 100;

/** The parts of a bundle, each as its own call returns it. */
@Injectable()
export class BundlePartsService {
  constructor(
    private readonly series: TimeseriesService,
    private readonly ranges: YhatService,
    private readonly anomalies: AnomalyService,
    private readonly matches: MatchService,
    private readonly patterns: PatternListService,
    private readonly related: RelatedService,
  ) {}

  find(name: Exclude<BundlePart, 'watchers'>, { caller, ref, window, maxPoints }: PartRequest): Promise<object> {
    switch (name) {
      case 'timeseries': {
        const shape = { max_points: maxPoints, function: 'avg', envelope: false, fill: 'null' } as const;
        return this.series.find(caller.org, ref, { ...window, ...shape });
      }
      case 'yhat': {
        const included = { include_value: true, include_mean: true, include_yhat_real_lower: true };
        const shape = { max_points: maxPoints, ...included, include_anomalous_periods: true };
        return this.ranges.find(caller.org, ref, { ...window, ...shape });
      }
      case 'anomalies':
        return this.anomalies.listOfMetric(caller, ref, { ...window, ...PAGE, order: 'newest' });
      case 'matches':
        return this.matches.listOfMetric(caller, ref.id, window, PAGE);
      case 'patterns':
        return this.patterns.listOfMetric(caller, ref, { ...PAGE, order: 'newest' });
      case 'related':
        return this.related.find(caller.org, ref, { ...window, limit: MAX_RELATED });
    }
  }
}

/** Combines several answers about one metric into one. */
@Injectable()
export class MetricBundleService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly parts: BundlePartsService,
    private readonly clock: Clock,
  ) {}

  async find(caller: KnownCaller, ref: MetricRef, query: MetricBundleParams): Promise<MetricBundleDto> {
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(caller.org.id);
    const window = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const { metric, watchers } = await this.metrics.find(caller, ref);
    const request = { caller, ref: { id: metric.id }, window, maxPoints: query.max_points };
    const bundle: MetricBundleDto = { metric, ...window };
    for (const name of new Set(query.include)) {
      bundle[name] = name === 'watchers' ? watchers : await this.parts.find(name, request);
    }
    return bundle;
  }
}
