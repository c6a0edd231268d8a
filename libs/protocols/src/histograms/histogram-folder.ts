import { type BatchBuilder } from '../batch/batch-builder.js';
import { BodyHistograms } from './body-histograms.js';
import { DEFAULT_FOLDER_OPTIONS, type HistogramFolderOptions, type HistogramSettings } from './histogram-settings.js';
import { HistogramMemory } from './histogram-memory.js';

/**
 * Keeps the state of histograms between bodies, bounded, so that the observations within a slot are known. One per
 * process.
 */
export class HistogramFolder {
  private readonly memory: HistogramMemory;

  constructor(options: Partial<HistogramFolderOptions> = {}) {
    this.memory = new HistogramMemory({ ...DEFAULT_FOLDER_OPTIONS, ...options });
  }

  /**
   * The histograms of one body.
   * @param scope id of the organisation: equal names in two scopes are two histograms
   */
  begin(builder: BatchBuilder, scope: number, settings: HistogramSettings): BodyHistograms {
    return new BodyHistograms(this.memory, builder, scope, settings);
  }

  /** Number of stored histograms, their size in bytes, and the number of evictions since the start. */
  stats(): { series: number; bytes: number; forgotten: number } {
    return this.memory.stats();
  }
}

/** For callers that keep no state: all buckets stay unchanged. */
export function keepBuckets(): HistogramFolding {
  return { folder: new HistogramFolder({ maxSeries: 0 }), scope: 0, settings: { mode: 'buckets', quantiles: [] } };
}

/** The input of a parser for folding the histograms of a body. */
export interface HistogramFolding {
  folder: HistogramFolder;
  /** Organisation's id. */
  scope: number;
  settings: HistogramSettings;
}
