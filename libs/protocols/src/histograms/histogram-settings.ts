/** How the buckets of a histogram are converted. Its count and sum are always kept. */
export type HistogramMode = 'quantiles' | 'buckets' | 'none';

export interface HistogramSettings {
  /** `quantiles`: estimated per slot; `buckets`: one `_bucket{le="…"}` series each; `none`: dropped. */
  mode: HistogramMode;
  /** From 0 to 1; one series each in mode `quantiles`. */
  quantiles: readonly number[];
}

export const DEFAULT_HISTOGRAM_SETTINGS: HistogramSettings = { mode: 'quantiles', quantiles: [0.5, 0.9, 0.99] };

export interface HistogramFolderOptions {
  /** Maximum number of stored histograms; the one not seen for longest is evicted first. */
  maxSeries: number;
  /** Approximate memory for the stored counts in bytes. */
  maxBytes: number;
  /** Seconds that one value of a quantile covers. */
  slotSeconds: number;
}

export const DEFAULT_FOLDER_OPTIONS: HistogramFolderOptions = {
  maxSeries: 20_000,
  maxBytes: 64 * 1024 * 1024,
  slotSeconds: 60,
};
