import { type BatchBuilder } from '../batch/batch-builder.js';
import { BodyHistograms } from './body-histograms.js';
import { DEFAULT_FOLDER_OPTIONS, type HistogramFolderOptions, type HistogramSettings } from './histogram-settings.js';
import { HistogramMemory } from './histogram-memory.js';

/**
 * Remembers histograms from body to body, bounded, so that the observations within a slot are known. One per process.
 */
export class HistogramFolder {
  private readonly memory: HistogramMemory;

  constructor(options: Partial<HistogramFolderOptions> = {}) {
    this.memory = new HistogramMemory({ ...DEFAULT_FOLDER_OPTIONS, ...options });
  }

  /**
   * The histograms of one body.
   * @param scope whose they are (an organisation's id): equal names in two scopes are two histograms
   */
  begin(builder: BatchBuilder, scope: number, settings: HistogramSettings): BodyHistograms {
    return new BodyHistograms(this.memory, builder, scope, settings);
  }

  /** Histograms remembered now, bytes they take, and how many were forgotten for want of room since the start. */
  stats(): { series: number; bytes: number; forgotten: number } {
    return this.memory.stats();
  }
}

/** For callers that remember nothing: all buckets stay as they are. */
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
