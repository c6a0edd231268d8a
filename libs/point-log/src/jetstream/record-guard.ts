import { type PointBatch, type RecordKind } from '../point-log.js';
import { POINT_BYTES } from '../common/payload.js';

/** A record that the server has acknowledged. */
export interface AcknowledgedRecord {
  partition: number;
  position: number;
  messageId: string;
  kind: RecordKind;
  batch: PointBatch;
}

/** The state of a partition on its servers. */
export interface PartitionView {
  /** Name of the leader; null while there is none. */
  leader: string | null;
  /** Records before this position are trimmed. */
  firstPosition: number;
}

export interface GuardedLog {
  inspect(partition: number): Promise<PartitionView>;
  /** Null if there is no record. */
  messageIdAt(partition: number, position: number): Promise<string | null>;
  append(batch: PointBatch, kind: RecordKind): Promise<void>;
  /** With a message for operators. */
  warn(message: string): void;
}

interface KeptRecord extends AcknowledgedRecord {
  keptAt: number;
}

/** Longer than servers need to elect another leader and to synchronise one that was unavailable. */
const KEEP_MS = 60_000;
/** For all partitions together; at a higher rate, records are kept for a shorter time. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const RECORD_BYTES = 300;
/**
 * After a change of the leader, records are checked repeatedly for this time: a server that was unavailable may become
 * the next leader.
 */
const SUSPECT_MS = 15_000;
const READS_AT_ONCE = 16;
const PARTITIONS_AT_ONCE = 8;

/**
 * Keeps recently acknowledged records, and appends them again if they are missing after another server has become the
 * leader. Servers agree before they acknowledge, but still occasionally lose such records: nats-server 2.9 after a
 * server was disconnected, newer versions after a machine failed before its writes were on disk. Records are only lost
 * if this process fails at the same moment.
 */
export class RecordGuard {
  private readonly kept: KeptRecord[][];
  private readonly bytes: number[];
  private readonly leaders: (string | undefined)[];
  private readonly suspectUntil: number[];
  /** Not all records of the partition were found since its leader changed. */
  private readonly isUnverified: boolean[];
  private checking: Promise<void> | undefined;

  constructor(
    partitions: number,
    private readonly log: GuardedLog,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.kept = Array.from({ length: partitions }, () => []);
    this.bytes = new Array<number>(partitions).fill(0);
    this.leaders = new Array<undefined>(partitions).fill(undefined);
    this.suspectUntil = new Array<number>(partitions).fill(0);
    this.isUnverified = new Array<boolean>(partitions).fill(false);
  }

  /** Copies the columns: readers of the record may transfer them to another thread. */
  keep({ batch, ...record }: AcknowledgedRecord): void {
    if (batch.ids.length === 0) return;
    const { ids, timestamps, values } = batch;
    const copy = { ids: ids.slice(), timestamps: timestamps.slice(), values: values.slice() };
    const { partition } = record;
    this.kept[partition]!.push({ ...record, batch: copy, keptAt: this.now() });
    this.bytes[partition]! += bytesOf(batch);
    while (this.bytes[partition]! > MAX_KEPT_BYTES / this.kept.length) this.dropOldest(partition);
  }

  /** A failure in the partition: records are checked as after a change of the leader. */
  suspect(partition: number): void {
    this.suspectUntil[partition] = this.now() + SUSPECT_MS;
    this.isUnverified[partition] = true;
  }

  /** One check at a time; never rejects. A check that is not possible now is made next time. */
  check(): Promise<void> {
    this.checking ??= this.checkAll().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async checkAll(): Promise<void> {
    for (const [partition, records] of this.kept.entries()) {
      while (records[0] && records[0].keptAt < this.now() - KEEP_MS) this.dropOldest(partition);
    }
    const used = [...this.kept.keys()].filter((partition) => this.kept[partition]!.length > 0);
    for (let first = 0; first < used.length; first += PARTITIONS_AT_ONCE) {
      await Promise.allSettled(
        used.slice(first, first + PARTITIONS_AT_ONCE).map((partition) => this.checkPartition(partition)),
      );
    }
  }

  private async checkPartition(partition: number): Promise<void> {
    const leader = await this.leaderOf(partition);
    if (leader === null || leader !== this.leaders[partition]) this.suspect(partition);
    if (leader === null) return;
    this.leaders[partition] = leader;
    if (!this.isUnverified[partition] && this.now() > this.suspectUntil[partition]!) return;
    const missing = await this.findMissing(partition, this.kept[partition]!.slice());
    this.isUnverified[partition] = missing.length > 0;
    if (missing.length === 0) return;
    const after = await this.log.inspect(partition);
    // The records on another leader are checked next time.
    if (after.leader !== leader) return;
    const lost = missing.filter(({ position }) => position >= after.firstPosition);
    for (const record of lost) await this.appendAgain(record);
    if (lost.length === 0) return;
    this.log.warn(
      `${String(lost.length)} acknowledged records of partition ${String(partition)} were lost when ${leader} took the lead; ` +
        'they were appended again',
    );
  }

  private async leaderOf(partition: number): Promise<string | null> {
    try {
      return (await this.log.inspect(partition)).leader;
    } catch {
      return null;
    }
  }

  private async findMissing(partition: number, records: readonly KeptRecord[]): Promise<KeptRecord[]> {
    const missing: KeptRecord[] = [];
    for (let first = 0; first < records.length; first += READS_AT_ONCE) {
      const some = records.slice(first, first + READS_AT_ONCE);
      const found = await Promise.all(some.map(({ position }) => this.log.messageIdAt(partition, position)));
      missing.push(...some.filter(({ messageId }, i) => found[i] !== messageId));
    }
    return missing;
  }

  /** After the append it is kept as another record. */
  private async appendAgain(record: KeptRecord): Promise<void> {
    const { partition, batch, kind } = record;
    await this.log.append(batch, kind);
    const place = this.kept[partition]!.indexOf(record);
    if (place < 0) return;
    this.kept[partition]!.splice(place, 1);
    this.bytes[partition]! -= bytesOf(batch);
  }

  private dropOldest(partition: number): void {
    this.bytes[partition]! -= bytesOf(this.kept[partition]!.shift()!.batch);
  }
}

const bytesOf = ({ ids }: PointBatch): number => RECORD_BYTES + POINT_BYTES * ids.length;
