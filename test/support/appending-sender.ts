import { type PointBatch, type PointLog } from '#libs/point-log';
import { until } from './product.js';

/** Appends one point after the other to partition 1, each with a time of its own, and notes which were acknowledged. */
export class AppendingSender {
  readonly acknowledged: number[] = [];
  readonly sent: number[] = [];
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(private readonly log: PointLog) {
    this.running = this.run();
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

  private async run(): Promise<void> {
    for (let time = 0; !this.isOver; time++) {
      this.sent.push(time);
      await this.log.append(pointAt(time), 'live').then(
        () => this.acknowledged.push(time),
        () => new Promise((next) => setTimeout(next, 50)),
      );
    }
  }
}

/** A point of one series, at a time that is its value, too. */
export const pointAt = (time: number): PointBatch => ({
  ids: Uint32Array.of(1),
  timestamps: Float64Array.of(time),
  values: Float64Array.of(time),
});

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
