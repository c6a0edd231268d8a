import { type StoredSource } from '../../data/source/source-drivers.service.js';

/** A source that a process has claimed to write back to it once. Times in Unix seconds. */
export interface ClaimedWriteBack extends StoredSource {
  id: number;
  /** Start of the newest slot that is written; null before the first. */
  watermark: number | null;
  /** All points of the source up to here are stored. */
  readUntil: number;
  /** Of the last read. */
  seriesCount: number | null;
  failures: number;
  /** The number of the claim: what an earlier one still writes down is not taken. */
  tries: number;
}
