import { SortedValues } from './sorted-values.js';

const SPAN_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
/**
 * Maximum and minimum number of rows: denser series are judged by their newest rows, sparser ones by more than a day.
 */
const MAX_ROWS = 1440;
const MIN_ROWS = 30;

/** The rows of the latest 24 hours (at least 30, at most 1,440 rows), including the newest. */
export class DayWindow {
  /** The window consists of rows [from, to) of the two columns. */
  from = 0;
  to = 0;
  readonly timestamps = new Float64Array(2 * MAX_ROWS);
  readonly values = new Float64Array(2 * MAX_ROWS);
  readonly sorted = new SortedValues(MAX_ROWS);

  add(timestamp: number, value: number): void {
    const { timestamps, values, sorted } = this;
    while (this.to > this.from && this.hasTooMany(timestamp)) sorted.remove(values[this.from++]!);
    if (this.to === timestamps.length) {
      timestamps.copyWithin(0, this.from);
      values.copyWithin(0, this.from);
      this.to -= this.from;
      this.from = 0;
    }
    timestamps[this.to] = timestamp;
    values[this.to] = value;
    this.to += 1;
    sorted.add(value);
  }

  /**
   * Rows from `from` up to, but not including, this one are the first hour of the window (for a shorter window of dense
   * rows: its first 24th). `from` while the window is incomplete.
   */
  get firstHourEnd(): number {
    const { from, to, timestamps } = this;
    const start = timestamps[from]!;
    const span = timestamps[to - 1]! - start;
    if (span < SPAN_SECONDS - HOUR_SECONDS && to - from < MAX_ROWS) return from;
    let row = from;
    while (timestamps[row]! < start + (span * HOUR_SECONDS) / SPAN_SECONDS) row += 1;
    return row;
  }

  private hasTooMany(newest: number): boolean {
    const rows = this.to - this.from;
    const isOld = this.timestamps[this.from]! <= newest - SPAN_SECONDS;
    return rows >= MAX_ROWS || (isOld && rows >= MIN_ROWS);
  }
}
