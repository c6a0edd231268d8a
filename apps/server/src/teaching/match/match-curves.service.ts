import { Injectable } from '@nestjs/common';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { PatternSeriesService } from '../../analysis/pattern/pattern-series.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { MatchNotFoundError } from './match.errors.js';
import { type Match } from './match.types.js';

/** The compared windows of a match: from the stored series, and from the pattern. */
@Injectable()
export class MatchCurvesService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly patterns: PatternDirectoryService,
    private readonly series: PatternSeriesService,
  ) {}

  async read(
    orgId: number,
    match: Match,
  ): Promise<{ timeseries: [number, number | null][]; patternTimeseries: [number, number | null][] }> {
    const { metricId, patternId, shapeIndex, windowStart, windowSlots } = match;
    const [[metric], settings, pattern] = await Promise.all([
      this.metrics.findByIds(orgId, [metricId]),
      this.orgs.getById(orgId),
      this.patterns.comparableById(orgId, patternId),
    ]);
    if (metric === undefined || pattern === null) throw new MatchNotFoundError(match.id);
    const { fine } = pattern.shape;
    const window = { from: windowStart, until: windowStart + (windowSlots - 1) * fine.step, step: fine.step };
    const { start, values } = await this.series.read(metric, window, settings);
    const mine = fine.values.subarray(shapeIndex, shapeIndex + windowSlots);
    return {
      timeseries: points(start, fine.step, values),
      patternTimeseries: points(fine.start + shapeIndex * fine.step, fine.step, mine),
    };
  }
}

const points = (start: number, step: number, values: Float32Array): [number, number | null][] =>
  Array.from(values, (value, slot) => [start + slot * step, Number.isFinite(value) ? value : null]);
