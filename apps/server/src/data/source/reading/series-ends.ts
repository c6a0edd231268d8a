import { LRUCache } from 'lru-cache';
import { type EndedSeries, type ParsedBatch } from '#libs/protocols';
import { type ReadWindow } from './driver.types.js';

/** Number of cached names of all sources together. */
const MAX_NAMES = 1_000_000;

/**
 * Detects series of a source that have ended: the last interval of a read still had them, and the next one has not. The
 * store reports this intentionally (a staleness marker, a target that has disappeared); an answer without any series
 * has no such meaning.
 */
export class SeriesEnds {
  /** Names that had a point at the end of the last read, by source. */
  private readonly current = new LRUCache<number, ReadonlySet<string>>({
    maxSize: MAX_NAMES,
    sizeCalculation: ({ size }) => size + 1,
  });

  /** Call it when the points are stored, or `forget`. */
  endedIn(
    sourceId: number,
    { series, seriesIndex, timestamps, count }: ParsedBatch,
    window: ReadWindow,
  ): EndedSeries[] {
    const newest = new Map<string, number>();
    for (let row = 0; row < count; row++) {
      const { name } = series[seriesIndex[row]!]!;
      newest.set(name, Math.max(newest.get(name) ?? -Infinity, timestamps[row]!));
    }
    if (newest.size === 0) return [];
    const ended: EndedSeries[] = [];
    for (const [name, timestamp] of newest) {
      if (timestamp < window.until) ended.push({ name, timestamp: timestamp + window.stepSeconds });
    }
    for (const name of this.current.get(sourceId) ?? []) {
      if (!newest.has(name)) ended.push({ name, timestamp: window.from + window.stepSeconds });
    }
    this.current.set(sourceId, new Set([...newest].filter(([, at]) => at >= window.until).map(([name]) => name)));
    return ended;
  }

  forget(sourceId: number): void {
    this.current.delete(sourceId);
  }
}
