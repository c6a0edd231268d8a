import { type NameLimits } from '../names/name-limits.js';
import { type ParsedMetricName } from '../names/metric-name.js';
import { type BucketName, bucketNameOf, HistogramNames } from './histogram-names.js';
import { type HistogramFolderOptions } from './histogram-settings.js';

/** The stored state of a histogram. Immutable once stored: a body replaces it with a new one. */
export interface RememberedHistogram {
  /** Approximate memory in bytes. */
  readonly bytes: number;
}

/** Bytes of a key and an entry of the map, without their content. */
const ENTRY_BYTES = 150;

/** The last states of histograms, least recently used first; bounded by their number and by bytes. */
export class HistogramMemory {
  readonly slotSeconds: number;
  private readonly states = new Map<string, RememberedHistogram>();
  /** Parsed names, while their objects are kept (usually by the name cache). */
  private readonly names = new WeakMap<ParsedMetricName, HistogramNames>();
  private readonly bucketNames = new WeakMap<ParsedMetricName, BucketName | false>();
  private bytes = 0;
  private forgotten = 0;

  constructor(private readonly options: HistogramFolderOptions) {
    this.slotSeconds = options.slotSeconds;
  }

  get(key: string): RememberedHistogram | undefined {
    return this.states.get(key);
  }

  /** Replaces a state; `undefined` removes it. */
  set(key: string, state: RememberedHistogram | undefined): void {
    const before = this.states.get(key);
    if (before !== undefined) {
      this.bytes -= sizeOf(key, before);
      this.states.delete(key);
    }
    if (state === undefined) return;
    this.states.set(key, state);
    this.bytes += sizeOf(key, state);
    this.forgetOldest();
  }

  /** Names of the series into which a histogram is converted. */
  namesOf(parsed: ParsedMetricName, limits: NameLimits): HistogramNames {
    let names = this.names.get(parsed);
    if (names === undefined) {
      names = new HistogramNames(parsed, limits);
      this.names.set(parsed, names);
    }
    return names;
  }

  /** The histogram to which a bucket series belongs; null if it is not a bucket. */
  bucketNameOf(parsed: ParsedMetricName, limits: NameLimits): BucketName | null {
    if (!parsed.displayName.endsWith('_bucket')) return null;
    let bucket = this.bucketNames.get(parsed);
    if (bucket === undefined) {
      bucket = bucketNameOf(parsed, limits) ?? false;
      this.bucketNames.set(parsed, bucket);
    }
    return bucket === false ? null : bucket;
  }

  /** Number of stored histograms, their size in bytes, and the number of evictions since the start. */
  stats(): { series: number; bytes: number; forgotten: number } {
    return { series: this.states.size, bytes: this.bytes, forgotten: this.forgotten };
  }

  private forgetOldest(): void {
    const { maxSeries, maxBytes } = this.options;
    // Iterating over a map whose first entries were deleted takes time in proportion to them.
    if (this.states.size <= maxSeries && this.bytes <= maxBytes) return;
    for (const [key, state] of this.states) {
      if (this.states.size <= maxSeries && this.bytes <= maxBytes) return;
      this.states.delete(key);
      this.bytes -= sizeOf(key, state);
      this.forgotten++;
    }
  }
}

function sizeOf(key: string, state: RememberedHistogram): number {
  return ENTRY_BYTES + key.length + state.bytes;
}
