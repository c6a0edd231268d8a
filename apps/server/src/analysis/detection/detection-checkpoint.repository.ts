import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JoinedCalls } from '#libs/joined-calls';
import { copiedRows } from '../../common/database/copied-rows.js';
import { type Tx } from '../../common/database/transactions.js';

export interface Checkpoint {
  /** Number of this ownership; passed with every write. */
  epoch: number;
  /** Log position after which a restart from the saved pages must read; 0 = everything. */
  position: number;
  /** Log position up to which every effect is stored; never before that of a page. */
  appliedPosition: number;
}

export interface CheckpointPage {
  page: number;
  /** Log position of the last record included in the bytes. */
  position: number;
  series: number;
  /** As returned by the shard host. */
  bytes: Uint8Array;
}

interface Applied {
  partition: number;
  epoch: number;
  position: number;
}

/** A page as stored in its row. */
export interface StoredPageRow extends CheckpointPage {
  /** The object with the page; `bytes` are then only its definitions. Null: `bytes` are the page. */
  object: string | null;
}

@Injectable()
export class DetectionCheckpointRepository {
  /**
   * Combines the partitions of this process: with little activity in each of many partitions, separate transactions
   * would be most of the work.
   */
  private readonly marks = new JoinedCalls<Applied, boolean>((applied) => this.markAllApplied(applied), { atOnce: 1 });

  constructor(private readonly dataSource: DataSource) {}

  /** Makes the caller the owner of a partition and returns its checkpoint; earlier owners can no longer write. */
  async takeOver(partition: number): Promise<Checkpoint> {
    const rows: { epoch: number; position: string; applied_position: string }[] = await this.dataSource.query(
      `INSERT INTO detection_checkpoint AS c ("partition", epoch) VALUES ($1, 1)
       ON CONFLICT ("partition") DO UPDATE SET epoch = c.epoch + 1
       RETURNING epoch, position, applied_position`,
      [partition],
    );
    const row = rows[0]!;
    return { epoch: row.epoch, position: Number(row.position), appliedPosition: Number(row.applied_position) };
  }

  /** Saved pages above a number, ascending. */
  async pagesAfter(partition: number, page: number, limit: number): Promise<StoredPageRow[]> {
    const [p, after, count] = [partition, page, limit].map(wholeNumber);
    const rows = await copiedRows(
      this.dataSource,
      `SELECT page, position, series, bytes, coalesce(object, '') FROM detection_checkpoint_page
       WHERE "partition" = ${p!} AND page > ${after!} ORDER BY page LIMIT ${count!}`,
    );
    return rows.map(([number, position, series, bytes, object]) => ({
      page: number!.readInt32BE(),
      position: Number(position!.readBigInt64BE()),
      series: series!.readInt32BE(),
      // A copy that can move to another thread: all rows share one buffer.
      bytes: new Uint8Array(bytes!),
      object: object!.length === 0 ? null : object!.toString('utf8'),
    }));
  }

  /** False if another process now owns the partition. With `tx`: in the transaction that stores the effects. */
  async markApplied(partition: number, epoch: number, position: number, tx?: Tx): Promise<boolean> {
    const applied = { partition, epoch, position };
    if (!tx) return this.marks.call(applied);
    const [isOurs] = await this.markAllApplied([applied], tx);
    return isOurs!;
  }

  /** Rows are locked in the order of partitions, so that processes doing this at the same time cannot deadlock. */
  private async markAllApplied(applied: readonly Applied[], tx?: Tx): Promise<boolean[]> {
    const [rows]: [{ partition: number }[], number] = await (tx ?? this.dataSource).query(
      `WITH applied AS (
         SELECT * FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS a ("partition", epoch, position)
       ), ours AS (
         SELECT c."partition", applied.position
         FROM detection_checkpoint c JOIN applied USING ("partition", epoch)
         ORDER BY c."partition" FOR NO KEY UPDATE OF c
       )
       UPDATE detection_checkpoint c SET applied_position = greatest(c.applied_position, ours.position)
       FROM ours WHERE c."partition" = ours."partition"
       RETURNING c."partition"`,
      [
        applied.map(({ partition }) => partition),
        applied.map(({ epoch }) => epoch),
        applied.map(({ position }) => position),
      ],
    );
    const ours = new Set(rows.map(({ partition }) => partition));
    return applied.map(({ partition }) => ours.has(partition));
  }

  /** True if the epoch is that of the owner; the owner cannot change until the transaction ends. */
  async lockOwnership(partition: number, epoch: number, tx: Tx): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM detection_checkpoint WHERE "partition" = $1 AND epoch = $2 FOR SHARE`,
      [partition, epoch],
    );
    return rows.length === 1;
  }

  /** False if another process now owns the partition. */
  async saveReplayPosition(partition: number, epoch: number, position: number, tx: Tx): Promise<boolean> {
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE detection_checkpoint SET position = $3, taken_at = now() WHERE "partition" = $1 AND epoch = $2`,
      [partition, epoch, position],
    );
    return changed === 1;
  }

  /** Returns the object that the row of the page referred to before; null: none. */
  async savePage(
    partition: number,
    { page, position, series, bytes, object }: StoredPageRow,
    tx: Tx,
  ): Promise<string | null> {
    const rows: { replaced: string | null }[] = await tx.query(
      `INSERT INTO detection_checkpoint_page ("partition", page, position, series, bytes, object)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ("partition", page)
       DO UPDATE SET position = excluded.position, series = excluded.series, bytes = excluded.bytes,
                     object = excluded.object, taken_at = now()
       RETURNING (SELECT before.object FROM detection_checkpoint_page before
                  WHERE before."partition" = $1 AND before.page = $2) AS replaced`,
      [partition, page, position, series, bufferOf(bytes), object],
    );
    return rows[0]!.replaced;
  }

  /** Objects that rows of the partition refer to. */
  async objectsOf(partition: number): Promise<string[]> {
    const rows: { object: string }[] = await this.dataSource.query(
      'SELECT object FROM detection_checkpoint_page WHERE "partition" = $1 AND object IS NOT NULL',
      [partition],
    );
    return rows.map(({ object }) => object);
  }

  /** True if any row refers to an object. */
  async hasObjects(): Promise<boolean> {
    const rows: { found: boolean }[] = await this.dataSource.query(
      'SELECT EXISTS (SELECT FROM detection_checkpoint_page WHERE object IS NOT NULL) AS found',
    );
    return rows[0]!.found;
  }

  /** Moves a page back into its row, unless the row now refers to another object. */
  async moveToRow(partition: number, page: number, object: string, bytes: Uint8Array): Promise<void> {
    await this.dataSource.query(
      `UPDATE detection_checkpoint_page SET bytes = $4, object = NULL
       WHERE "partition" = $1 AND page = $2 AND object = $3`,
      [partition, page, object, bufferOf(bytes)],
    );
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** For a statement that takes no parameters. */
function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(value)} is no whole number`);
  return String(value);
}
