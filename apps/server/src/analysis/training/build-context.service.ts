import { Injectable } from '@nestjs/common';
import { occurrences, prepare, type Shape } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeries } from '../pattern/pattern-series.service.js';
import { DEFAULT_THRESHOLD } from '../pattern/pattern.types.js';
import { TrainingRepository } from './training.repository.js';

/** So far back a shape is looked for, days. */
const HISTORY_DAYS = 7;
const MOST_ANOMALIES = 200;

/** What a build reads besides: the metric, and when a shape has occurred without anybody minding. */
@Injectable()
export class BuildContext {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly series: PatternSeries,
    private readonly trainings: TrainingRepository,
    private readonly clock: Clock,
  ) {}

  async find(orgId: number, metricId: number): Promise<{ metric: MetricRecord; settings: SeriesSettings } | null> {
    const [[metric], settings] = await Promise.all([this.metrics.findByIds(orgId, [metricId]), this.orgs.find(orgId)]);
    return metric === undefined || settings === null ? null : { metric, settings };
  }

  /** Starts of the same shape in the last days; what opened an anomaly was not expected, and does not count. */
  async occurrences(metric: MetricRecord, shape: Shape, settings: SeriesSettings, exceptId: number): Promise<number[]> {
    const now = this.clock.now();
    const since = Math.max(now, shape.partEnd) - HISTORY_DAYS * DAY;
    const { step } = shape.fine;
    const from = Math.max(since, metric.firstTimestamp ?? since);
    const until = Math.min(now, shape.partStart - step);
    if (until <= from) return [];
    const fine = await this.series.read(metric, { from, until, step }, settings);
    const starts = occurrences(prepare(shape), fine, DEFAULT_THRESHOLD);
    if (starts.length === 0) return [];
    const past = await this.trainings.pastAnomalies(
      metric.orgId,
      { metricId: metric.id, since: since - DAY, exceptId },
      MOST_ANOMALIES,
    );
    const length = shape.partEnd - shape.partStart;
    return starts.filter(
      (start) =>
        !past.some((one) => one.startTimestamp <= start + length && (one.endTimestamp ?? Infinity) >= start - step),
    );
  }
}
