import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Aggregation } from '#libs/contracts';
import { type SeriesStore } from '#libs/series';
import { DAY, MINUTE } from '../../common/time.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { SERIES_STORE } from '../../platform/storage/storage.types.js';

/** How much the detector reads before a window: two weeks, so that it knows weekdays. */
const WARM_UP_SECONDS = 14 * DAY;

interface Columns {
  /** Slot starts, Unix seconds, ascending. */
  timestamps: Float64Array;
  /** As sent; counters are not rates yet. */
  values: Float64Array;
}

/** A stored series in the form that its detector reads. */
export interface StoredColumns extends Columns {
  slotSeconds: number;
}

/** Maximum number of cached points over all metrics; sixteen bytes each. */
const KEPT_POINTS = 2_000_000;
/** Maximum time until a late point for a slot, without a newer point of the metric, is noticed. */
const KEPT_MS = 5 * MINUTE * 1000;

/** All stored slots of a metric between two times. */
interface KeptColumns extends StoredColumns {
  from: number;
  until: number;
  lastTimestamp: number;
}

/** Stored series in the slots in which the detector reads them. */
@Injectable()
export class StoredSeriesService {
  private readonly kept = new LRUCache<number, KeptColumns>({
    maxSize: KEPT_POINTS,
    sizeCalculation: ({ timestamps }) => 1 + timestamps.length,
    ttl: KEPT_MS,
  });

  constructor(@Inject(SERIES_STORE) private readonly series: SeriesStore) {}

  /** The slots of a window (Unix seconds, both inclusive); from roll-ups where slots of tier 1 have expired. */
  read(metric: MetricRecord, org: SeriesSettings, from: number, until: number): Promise<StoredColumns> {
    return this.readFrom(from, metric, org, from, until);
  }

  /**
   * The same with the preceding two weeks, from the start of a day on: successive windows share their warm-up. Cached
   * until the metric has a new slot.
   */
  async readWithWarmUp(metric: MetricRecord, org: SeriesSettings, from: number, until: number): Promise<StoredColumns> {
    const start = Math.floor((from - WARM_UP_SECONDS) / DAY) * DAY;
    const { id, lastTimestamp } = metric;
    const slotSeconds = org.retention1ResolutionSeconds;
    const known = this.kept.get(id);
    if (
      known?.lastTimestamp === lastTimestamp &&
      known.slotSeconds === slotSeconds &&
      known.from === start &&
      known.until >= until
    ) {
      return upTo(known, until);
    }
    // Near the end of the series, the next window may end there too.
    const end = lastTimestamp !== null && lastTimestamp - until <= DAY ? Math.max(until, lastTimestamp) : until;
    const columns = await this.readFrom(start, metric, org, from, end);
    if (lastTimestamp !== null && columns.slotSeconds === slotSeconds) {
      this.kept.set(id, { ...columns, from: start, until: end, lastTimestamp });
    }
    return upTo(columns, until);
  }

  /**
   * The roll-ups of a window and of the preceding two weeks: about a tenth of the slots, for results that need not be
   * exact.
   */
  async readRolled(metric: MetricRecord, org: SeriesSettings, from: number, until: number): Promise<StoredColumns> {
    const slotSeconds = org.retention2ResolutionSeconds;
    const { timestamps, values } = await this.series.read({
      id: metric.id,
      from: Math.floor((from - WARM_UP_SECONDS) / DAY) * DAY,
      until,
      resolutionSeconds: slotSeconds,
      function: metric.type === 'counter' ? 'last' : 'avg',
      envelope: false,
      slots: { tier1: org.retention1ResolutionSeconds, tier2: slotSeconds },
    });
    return { timestamps, values, slotSeconds };
  }

  private async readFrom(
    start: number,
    metric: MetricRecord,
    org: SeriesSettings,
    from: number,
    until: number,
  ): Promise<StoredColumns> {
    const { id, type } = metric;
    const slotSeconds = org.retention1ResolutionSeconds;
    const raw = inSlots(await this.series.readRaw(id, start, until), slotSeconds, metric.aggregation);
    const begin = metric.firstTimestamp ?? from;
    const reaches = raw.timestamps.length > 0 && raw.timestamps[0]! <= Math.max(from, begin) + slotSeconds;
    if (reaches || begin > until) return { ...raw, slotSeconds };
    const rolled = await this.series.read({
      id,
      from: start,
      until,
      resolutionSeconds: org.retention2ResolutionSeconds,
      function: type === 'counter' ? 'last' : 'avg',
      envelope: false,
      slots: { tier1: slotSeconds, tier2: org.retention2ResolutionSeconds },
    });
    // A metric that was silent for a while has no slot near the start of the window in either case.
    if (rolled.timestamps.length === 0 || (raw.timestamps[0] ?? Infinity) <= rolled.timestamps[0]!) {
      return { ...raw, slotSeconds };
    }
    const { timestamps, values } = rolled;
    return { timestamps, values, slotSeconds: org.retention2ResolutionSeconds };
  }
}

/** The rows up to a time, as separate columns, which may be sent to a thread. */
function upTo({ timestamps, values, slotSeconds }: StoredColumns, until: number): StoredColumns {
  let rows = timestamps.length;
  while (rows > 0 && timestamps[rows - 1]! > until) rows--;
  return { timestamps: timestamps.slice(0, rows), values: values.slice(0, rows), slotSeconds };
}

/** Rows that are not aligned to slots are combined, like points. */
export function inSlots({ timestamps, values }: Columns, slotSeconds: number, aggregation: Aggregation): Columns {
  if (timestamps.every((timestamp) => timestamp % slotSeconds === 0)) return { timestamps, values };
  const starts: number[] = [];
  const combined: number[] = [];
  for (let first = 0, end = 0; first < timestamps.length; first = end) {
    const start = timestamps[first]! - (timestamps[first]! % slotSeconds);
    while (end < timestamps.length && timestamps[end]! < start + slotSeconds) end++;
    starts.push(start);
    combined.push(combine(values.subarray(first, end), aggregation));
  }
  return { timestamps: Float64Array.from(starts), values: Float64Array.from(combined) };
}

function combine(values: Float64Array, aggregation: Aggregation): number {
  const sum = () => values.reduce((total, value) => total + value, 0);
  switch (aggregation) {
    case 'last':
      return values.at(-1)!;
    case 'avg':
      return sum() / values.length;
    case 'sum':
      return sum();
    case 'min':
      return values.reduce((least, value) => Math.min(least, value));
    case 'max':
      return values.reduce((most, value) => Math.max(most, value));
  }
}
