import { type PointColumns } from '../../points/point-columns.js';
import { type ChunkReader } from '../../recent/recent-chunk.js';
import { sortRun } from '../../recent/ordered-rows.js';

/** Sort keys consist of a 32-bit id and a 21-bit run: a float64 represents them exactly. */
const RUN_RANGE = 2 ** 21;

/** Collects parts of many series from chunks in the order of writing, and returns them series by series. */
export class RunCollector {
  private timestamps: Float64Array;
  private values: Float64Array;
  private rows = 0;
  private ids = new Uint32Array(1024);
  private starts = new Uint32Array(1024);
  private runs = 0;

  /** @param capacity maximum number of points */
  constructor(capacity: number) {
    this.timestamps = new Float64Array(capacity);
    this.values = new Float64Array(capacity);
  }

  /** Adds the series of a chunk that `isWanted` selects. */
  add(chunk: ChunkReader, isWanted: (id: number) => boolean): void {
    while (chunk.next()) {
      if (!isWanted(chunk.id)) continue;
      if (this.runs === this.ids.length) this.growRuns();
      this.ids[this.runs] = chunk.id;
      this.starts[this.runs] = this.rows;
      this.runs++;
      chunk.copyTo(this.timestamps, this.values, this.rows);
      this.rows += chunk.points;
    }
    if (this.runs > RUN_RANGE) throw new RangeError('There are too many stretches of series to fold at once');
  }

  /** Series ordered by id, each merged: ascending timestamps, the latest write wins. The columns are views. */
  *series(): Generator<{ id: number; points: PointColumns }> {
    const order = new Float64Array(this.runs);
    for (let run = 0; run < this.runs; run++) order[run] = this.ids[run]! * RUN_RANGE + run;
    order.sort();
    let longest = 0;
    for (let n = 0; n < order.length;) {
      const { end, points } = this.sameSeries(order, n);
      longest = Math.max(longest, points);
      n = end;
    }
    const timestamps = new Float64Array(longest);
    const values = new Float64Array(longest);
    for (let n = 0; n < order.length;) {
      const { id, end } = this.sameSeries(order, n);
      let size = 0;
      let isRising = true;
      for (; n < end; n++) {
        const run = order[n]! % RUN_RANGE;
        const [from, until] = [this.starts[run]!, this.endOf(run)];
        if (size > 0 && this.timestamps[from]! <= timestamps[size - 1]!) isRising = false;
        timestamps.set(this.timestamps.subarray(from, until), size);
        values.set(this.values.subarray(from, until), size);
        size += until - from;
      }
      if (!isRising) size = sortRun(timestamps, values, 0, size);
      yield { id, points: { timestamps: timestamps.subarray(0, size), values: values.subarray(0, size) } };
    }
  }

  private sameSeries(order: Float64Array, first: number): { id: number; end: number; points: number } {
    const id = Math.floor(order[first]! / RUN_RANGE);
    let end = first;
    let points = 0;
    for (; end < order.length && Math.floor(order[end]! / RUN_RANGE) === id; end++) {
      const run = order[end]! % RUN_RANGE;
      points += this.endOf(run) - this.starts[run]!;
    }
    return { id, end, points };
  }

  private endOf(run: number): number {
    return run + 1 < this.runs ? this.starts[run + 1]! : this.rows;
  }

  private growRuns(): void {
    const ids = new Uint32Array(this.ids.length * 2);
    ids.set(this.ids);
    this.ids = ids;
    const starts = new Uint32Array(this.starts.length * 2);
    starts.set(this.starts);
    this.starts = starts;
  }
}
