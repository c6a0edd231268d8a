import { type LogRecord } from '../point-log.js';
import { POINT_BYTES } from './payload.js';

/** Approximate size of a record without its points, in bytes. */
const RECORD_BYTES = 200;

/**
 * The newest records of the log as written by this process, for a reader in the same process: reading them back from
 * the storage would cost more than writing them did. It keeps only partitions that are read here, returns each record
 * once, and is bounded in bytes; the oldest records are dropped first. All others are read from the storage.
 */
export class TailCache {
  /** By partition that is read here: records ordered by position. */
  private readonly tails = new Map<number, LogRecord[]>();
  /** By partition: the tail contains every record of the partition in (from, writtenTo]. */
  private readonly from = new Map<number, number>();
  /** Position of the last record of the log known to this process, in any partition. */
  private writtenTo = NaN;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /**
   * Records of one commit, with consecutive positions. If other processes have written since the last commit, the kept
   * records are no longer the whole tail.
   */
  add(records: readonly LogRecord[]): void {
    const first = records[0];
    if (!first) return;
    if (first.position !== this.writtenTo + 1) this.restartAfter(first.position - 1);
    for (const record of records) {
      const tail = this.tails.get(record.partition);
      if (!tail) continue;
      tail.push(record);
      this.bytes += bytesOf(record);
    }
    this.writtenTo = records.at(-1)!.position;
    while (this.bytes > this.maxBytes) this.dropOldest();
  }

  /**
   * The records after a position: at most `maxPoints` points, but at least one record; empty if they must be read from
   * the storage. Returned records are removed.
   */
  take(partition: number, after: number, maxPoints: number): LogRecord[] {
    const tail = this.tails.get(partition);
    if (!tail) {
      // From now on the partition is read in this process.
      this.tails.set(partition, []);
      this.from.set(partition, Number.isNaN(this.writtenTo) ? Infinity : this.writtenTo);
      return [];
    }
    if (!(after >= this.from.get(partition)!)) return [];
    let start = 0;
    while (start < tail.length && tail[start]!.position <= after) start++;
    let end = start;
    let points = 0;
    while (end < tail.length) {
      points += tail[end]!.batch.ids.length;
      if (end > start && points > maxPoints) break;
      end++;
    }
    const taken = tail.slice(start, end);
    this.drop(partition, end);
    return taken;
  }

  private restartAfter(position: number): void {
    for (const [partition, tail] of this.tails) {
      tail.length = 0;
      this.from.set(partition, position);
    }
    this.bytes = 0;
  }

  private dropOldest(): void {
    let oldest = -1;
    let least = Infinity;
    for (const [partition, tail] of this.tails) {
      const position = tail[0]?.position ?? Infinity;
      if (position < least) [oldest, least] = [partition, position];
    }
    if (oldest < 0) this.bytes = 0;
    else this.drop(oldest, 1);
  }

  private drop(partition: number, count: number): void {
    const tail = this.tails.get(partition)!;
    const dropped = tail.splice(0, count);
    for (const record of dropped) this.bytes -= bytesOf(record);
    const last = dropped.at(-1);
    if (last) this.from.set(partition, last.position);
  }
}

const bytesOf = ({ batch }: LogRecord): number => RECORD_BYTES + POINT_BYTES * batch.ids.length;
