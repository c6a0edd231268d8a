import { LRUCache } from 'lru-cache';
import { type NewMetric } from './new-metric-kinds.js';
import { type OrgOfNewMetrics, type SeriesRow, TYPED_SOURCES } from './metric-registry.repository.js';

/** Detection requests a new series once, within seconds. */
const KEEP_MS = 10_000;
const MAX_SERIES = 200_000;

/**
 * Metrics that this process has just created, for detection, which soon receives their first points. Others must be
 * read from the database.
 */
export class NewSeries {
  // `max` would allocate memory for all entries at the start.
  private readonly series = new LRUCache<number, SeriesRow>({
    maxSize: MAX_SERIES,
    sizeCalculation: () => 1,
    ttl: KEEP_MS,
  });

  /** Metrics with their own detection terms are not kept. */
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

  /** Returns the series and removes it. */
  take(id: number): SeriesRow | undefined {
    const series = this.series.get(id);
    if (series) this.series.delete(id);
    return series;
  }

  /** They were changed or erased. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.series.delete(id);
  }
}
