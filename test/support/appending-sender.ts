import { type PointBatch, type PointLog } from '#libs/point-log';
import { pause } from './ledger.js';
import { until } from './product.js';

/** Appends batches in an endless loop, each with its own time, and records the acknowledged ones. */
export class AppendingSender {
  readonly acknowledged: number[] = [];
  readonly sent: number[] = [];
  private isOver = false;
  private readonly running: Promise<void>;

  /**
   * `series`: each batch has one point for each of them, by default for that of `pointAt`; `first`: time of the first
   * batch; `pauseMs`: pause after each batch
   */
  constructor(
    private readonly log: PointLog,
    options: { series?: readonly number[]; first?: number; pauseMs?: number } = {},
  ) {
    const { series = [1], first = 0, pauseMs = 0 } = options;
    this.running = this.run(series, first, pauseMs);
  }

  async progress(count: number): Promise<void> {
    const goal = this.acknowledged.length + count;
    const arrived = async (): Promise<boolean> => this.acknowledged.length >= goal;
    await until(`${String(count)} acknowledged appends`, arrived, { timeoutMs: 100_000, everyMs: 5 });
  }

  async finish(): Promise<this> {
    this.isOver = true;
    await this.running;
    return this;
  }

  private async run(series: readonly number[], first: number, pauseMs: number): Promise<void> {
    for (let time = first; !this.isOver; time++) {
      this.sent.push(time);
      await this.log.append(batchAt(time, series), 'live').then(
        () => this.acknowledged.push(time),
        () => pause(50),
      );
      if (pauseMs > 0) await pause(pauseMs);
    }
  }
}

/** A point of each series, with the time as value. */
const batchAt = (time: number, series: readonly number[]): PointBatch => ({
  ids: Uint32Array.from(series),
  timestamps: new Float64Array(series.length).fill(time),
  values: new Float64Array(series.length).fill(time),
});

/** A point of series 1, with the time as value. */
export const pointAt = (time: number): PointBatch => batchAt(time, [1]);

/** Times of the points of a partition after a position, in the order of the log. */
export async function timesFrom(log: PointLog, partition: number, after = 0): Promise<number[]> {
  const times: number[] = [];
  for (let position = after; ;) {
    const records = await log.read(partition, position, 100_000);
    if (records.length === 0) return times;
    position = records.at(-1)!.position;
    for (const record of records) for (const time of record.batch.timestamps) times.push(time);
  }
}
