import { type HistogramFolding } from '../histograms/histogram-folder.js';
import { type OtlpEncoding } from './otlp-response.js';

export interface OtlpOptions {
  encoding: OtlpEncoding;
  /** Resource attributes that become labels; the others are dropped. */
  resourceAttributes: readonly string[];
  histograms: HistogramFolding;
}
