import { Injectable } from '@nestjs/common';
import {
  BASELINE_SLOTS,
  cutShape,
  LEAD_SLOTS,
  MAX_PART_SLOTS,
  mostExtension,
  type Shape,
  TAIL_SLOTS,
} from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeriesService } from '../../analysis/pattern/pattern-series.service.js';

/** Cuts shapes out of stored series. */
@Injectable()
export class ShapeCutterService {
  constructor(
    private readonly series: PatternSeriesService,
    private readonly clock: Clock,
  ) {}

  /** @param end last anomalous slot; null: it continues, and only the known part is used */
  async cut(
    metric: MetricRecord,
    { start, end }: { start: number; end: number | null },
    duration: number,
    settings: SeriesSettings,
  ): Promise<Shape> {
    const step = this.series.stepOf(metric, start - LEAD_SLOTS * 60, settings);
    const now = this.clock.now();
    const last = Math.min(end ?? now, start + MAX_PART_SLOTS * step);
    const until = Math.min(now, last + (mostExtension((last - start) / step) + TAIL_SLOTS + BASELINE_SLOTS) * step);
    const fine = await this.series.read(metric, { from: start - LEAD_SLOTS * step, until, step }, settings);
    const context = await this.series.context(metric, { start, duration }, settings);
    return cutShape(duration, { start, end: last }, { fine, context });
  }
}
