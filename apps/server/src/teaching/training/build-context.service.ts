import { Injectable } from '@nestjs/common';
import { type ShapeHistory, shapeHistoryAlone, type Shape, type Stretch } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeriesService, type SeriesWindow } from '../../analysis/pattern/pattern-series.service.js';
import { DEFAULT_THRESHOLD } from '../../analysis/pattern/pattern.types.js';
import { ExampleExecutor } from './example-executor.js';
import { TrainingRepository } from './training.repository.js';

/** Number of days of history in which a shape is searched. */
const HISTORY_DAYS = 7;
const MAX_ANOMALIES = 200;

/** Additional input of a build: the metric, and the occurrences of a shape that were not reported as problems. */
@Injectable()
export class BuildContextService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly series: PatternSeriesService,
    private readonly trainings: TrainingRepository,
    private readonly examples: ExampleExecutor,
    private readonly clock: Clock,
  ) {}

  async find(orgId: number, metricId: number): Promise<{ metric: MetricRecord; settings: SeriesSettings } | null> {
    const [[metric], settings] = await Promise.all([this.metrics.findByIds(orgId, [metricId]), this.orgs.find(orgId)]);
    return metric === undefined || settings === null ? null : { metric, settings };
  }

  /** Slots of a metric, in the form from which shapes are cut. */
  history(metric: MetricRecord, window: SeriesWindow, settings: SeriesSettings): Promise<Stretch> {
    return this.series.read(metric, window, settings);
  }

  /**
   * Searches the last days for the shapes of an anomaly, which differ only in their durations: the other occurrences of
   * each, and how its instances differ.
   */
  async findOccurrences(
    metric: MetricRecord,
    shapes: readonly Shape[],
    settings: SeriesSettings,
    exceptId: number,
  ): Promise<ShapeHistory[]> {
    const [shape] = shapes;
    if (shape === undefined) return [];
    const now = this.clock.now();
    const since = Math.max(now, shape.partEnd) - HISTORY_DAYS * DAY;
    const { step } = shape.fine;
    const from = Math.max(since, metric.firstTimestamp ?? since);
    const until = Math.min(now, shape.partStart - step);
    if (until <= from) return shapes.map(shapeHistoryAlone);
    const [fine, past] = await Promise.all([
      this.series.read(metric, { from, until, step }, settings),
      this.trainings.pastAnomalies(metric.orgId, { metricId: metric.id, since: since - DAY, exceptId }, MAX_ANOMALIES),
    ]);
    const opened = past.map(({ startTimestamp, endTimestamp, positive }) => ({
      start: startTimestamp,
      end: endTimestamp,
      isProblem: positive,
    }));
    return this.examples.findOccurrences({
      shapes,
      past: fine,
      opened,
      threshold: DEFAULT_THRESHOLD,
      timezone: settings.timezone,
    });
  }
}
