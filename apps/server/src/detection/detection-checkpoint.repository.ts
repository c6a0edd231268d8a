import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../common/database/transactions.js';

export interface Checkpoint {
  /** Number of this ownership; passed back with every write. */
  epoch: number;
  /** Log position that the state has seen; 0 = nothing. */
  position: number;
  /** Log position up to which every effect is stored; never behind `position`. */
  appliedPosition: number;
  /** Serialized shard; null when there is none yet. */
  state: Uint8Array | null;
}

@Injectable()
export class DetectionCheckpointRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes the caller the owner of a partition and returns its latest checkpoint; earlier owners can no longer write. */
  async takeOver(partition: number): Promise<Checkpoint> {
    const rows: { epoch: number; position: string; applied_position: string; state: Buffer | null }[] =
      await this.dataSource.query(
        `INSERT INTO detection_checkpoint AS c ("partition", epoch) VALUES ($1, 1)
         ON CONFLICT ("partition") DO UPDATE SET epoch = c.epoch + 1
         RETURNING epoch, position, applied_position, state`,
        [partition],
      );
    const row = rows[0]!;
    return {
      epoch: row.epoch,
      position: Number(row.position),
      appliedPosition: Number(row.applied_position),
      state: row.state,
    };
  }

  /** To be called in the transaction that stores the effects. False when another process owns the partition now. */
  async markApplied(partition: number, epoch: number, position: number, tx: Tx): Promise<boolean> {
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE detection_checkpoint SET applied_position = greatest(applied_position, $3)
       WHERE "partition" = $1 AND epoch = $2`,
      [partition, epoch, position],
    );
    return changed === 1;
  }

  /** Position and state in one statement. False when another process owns the partition now. */
  async save(partition: number, epoch: number, position: number, state: Uint8Array): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE detection_checkpoint
       SET position = $3, applied_position = greatest(applied_position, $3), state = $4, taken_at = now()
       WHERE "partition" = $1 AND epoch = $2`,
      [partition, epoch, position, Buffer.from(state.buffer, state.byteOffset, state.byteLength)],
    );
    return changed === 1;
  }
}
