import type pg from 'pg';
import { encodePoints } from '../../codec/point-block.js';
import { lowerBound, type PointColumns } from '../../points/point-columns.js';
import { type Partitions } from '../partitions.js';
import { CopyRows } from './copy-rows.js';
import { replacePartition } from './replace-partition.js';

/** A longer part of a day becomes several blocks, so that reading an hour decodes only one of them. */
const MAX_POINTS = 8192;
const FLUSH_BYTES = 16_000_000;
const COLUMNS = '(metric_id, start_ts, end_ts, seq, points, payload)';

/** Writes parts of series as blocks, each into the table of its day, in the transaction of the caller. */
export class BlockWriter {
  private readonly days = new Map<number, CopyRows>();
  private existing: Set<number> | undefined;
  private readonly blocksOfDay = new Map<number, number>();
  private waitingBytes = 0;
  private hasCreatedPartitions = false;
  blocks = 0;
  points = 0;
  bytes = 0;

  /** @param table the table for blocks of a day; default: the partition of the day, which is created if necessary */
  constructor(
    private readonly client: pg.ClientBase,
    private readonly partitions: Partitions,
    private readonly table?: (day: number) => string,
  ) {}

  /** Points of one series, ascending. `seq` is that of the latest write among them. */
  async add(id: number, points: PointColumns, seq: number): Promise<void> {
    const { timestamps, values } = points;
    for (let first = 0; first < timestamps.length;) {
      const day = this.partitions.startOf(timestamps[first]!);
      const dayEnd = this.partitions.endOf(day);
      const last = timestamps.at(-1)!;
      const until = last < dayEnd ? timestamps.length : first + lowerBound(timestamps.subarray(first), dayEnd);
      const end = Math.min(first + MAX_POINTS, until);
      this.addBlock(day, id, timestamps.subarray(first, end), values.subarray(first, end), seq);
      first = end;
    }
    if (this.waitingBytes > FLUSH_BYTES) await this.flush();
  }

  /** Writes the pending blocks; returns the number of blocks written to each day. */
  async finish(): Promise<ReadonlyMap<number, number>> {
    await this.flush();
    return this.blocksOfDay;
  }

  private addBlock(day: number, id: number, timestamps: Float64Array, values: Float64Array, seq: number): void {
    let rows = this.days.get(day);
    if (!rows) this.days.set(day, (rows = new CopyRows(6)));
    const payload = encodePoints(timestamps, values, timestamps.length);
    const before = rows.byteLength;
    rows.beginRow();
    rows.int32(id);
    rows.int64(timestamps[0]!);
    rows.int64(timestamps.at(-1)!);
    rows.int64(seq);
    rows.int32(timestamps.length);
    rows.bytes(payload);
    this.waitingBytes += rows.byteLength - before;
    this.blocksOfDay.set(day, (this.blocksOfDay.get(day) ?? 0) + 1);
    this.blocks++;
    this.points += timestamps.length;
    this.bytes += payload.length;
  }

  /** Call it last in the transaction: readers then also find blocks in partitions that were created for them. */
  async publish(): Promise<void> {
    if (!this.hasCreatedPartitions) return;
    await replacePartition(this.client, () => this.partitions.waitForReaders(this.client));
  }

  private async flush(): Promise<void> {
    for (const [day, rows] of this.days) {
      if (rows.count === 0) continue;
      await rows.send(this.client, `${await this.tableOf(day)} ${COLUMNS}`);
    }
    this.days.clear();
    this.waitingBytes = 0;
  }

  private async tableOf(day: number): Promise<string> {
    if (this.table) return this.table(day);
    this.existing ??= new Set(await this.partitions.existing(this.client));
    if (!this.existing.has(day)) {
      await this.partitions.create(this.client, day);
      this.hasCreatedPartitions = true;
      this.existing.add(day);
    }
    return this.partitions.nameOf(day);
  }
}
