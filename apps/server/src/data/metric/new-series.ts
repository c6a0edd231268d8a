import { LRUCache } from 'lru-cache';
import { type NewMetric } from './new-metric-kinds.js';
import { type OrgOfNewMetrics, type SeriesRow, TYPED_SOURCES } from './metric-registry.repository.js';

/** Detection asks within seconds, and once. */
const KEEP_MS = 10_000;
const MAX_SERIES = 200_000;

/**
 * Metrics that this process has just made, as detection asks for them: their first points are on the way to it. What is not
 * here, or no longer, is in the database.
 */
export class NewSeries {
  // `max` would take the memory for all of them at the start.
  private readonly series = new LRUCache<number, SeriesRow>({
    maxSize: MAX_SERIES,
    sizeCalculation: () => 1,
    ttl: KEEP_MS,
  });

  /** Metrics that are judged by terms of their own are not kept. */
  keep(id: number, source: string, org: OrgOfNewMetrics & { orgId: number }, metric: NewMetric): void {
    if (metric.termsId !== null) return;
    this.series.set(id, {
      id,
      orgId: org.orgId,
      type: metric.type,
      aggregation: metric.header.aggregation ?? 'last',
      slotSeconds: org.slotSeconds,
      timezone: org.timezone,
      mayBeCounter: metric.typeSource === 'default' && !TYPED_SOURCES.includes(source),
    });
  }

  /** Gives the series out, and does not keep it any longer. */
  take(id: number): SeriesRow | undefined {
    const series = this.series.get(id);
    if (series) this.series.delete(id);
    return series;
  }

  /** They are others now, or gone. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.series.delete(id);
  }
}
