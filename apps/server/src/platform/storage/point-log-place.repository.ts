import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type Tx } from '../../common/database/transactions.js';

/** Layout of the point log of an installation, wherever its records are. */
export interface PointLogLayout {
  partitions: number;
  /** Constant for the life of the installation. */
  logId: string;
  place: 'postgresql' | 'jetstream';
}

@Injectable()
export class PointLogPlaceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates the layout if there is none. */
  async getLayout(partitions: number, tx?: Tx): Promise<PointLogLayout> {
    const connection = tx ?? this.dataSource;
    await connection.query('INSERT INTO point_log_layout (partitions) VALUES ($1) ON CONFLICT DO NOTHING', [
      partitions,
    ]);
    const rows: PointLogLayout[] = await connection.query(
      'SELECT partitions, log_id AS "logId", place FROM point_log_layout',
    );
    return rows[0]!;
  }

  /** Waits until no append to the log in the database is running, and blocks new ones until the transaction ends. */
  async blockAppends(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [DATABASE_LOCKS.pointLogAppend.number]);
  }

  async setPlace(place: PointLogLayout['place'], tx: Tx): Promise<void> {
    await tx.query('UPDATE point_log_layout SET place = $1', [place]);
  }

  /**
   * By partition: the highest position that detection has recorded, and the position that it would read from after a
   * restart.
   */
  async positions(partitions: number, tx?: Tx): Promise<{ known: number[]; saved: number[] }> {
    const rows: { known: string; saved: string }[] = await (tx ?? this.dataSource).query(
      `SELECT coalesce(greatest(c.applied_position, c.position), 0) AS known, coalesce(c.position, 0) AS saved
       FROM generate_series(0, $1::integer - 1) AS p
       LEFT JOIN detection_checkpoint c ON c."partition" = p
       ORDER BY p`,
      [partitions],
    );
    return { known: rows.map(({ known }) => Number(known)), saved: rows.map(({ saved }) => Number(saved)) };
  }

  /** Number of points of the log in the database that detection would read after a restart. */
  async countUnread(tx: Tx): Promise<number> {
    const rows: { points: string }[] = await tx.query(
      `SELECT coalesce(sum(l.points), 0) AS points
       FROM point_log l LEFT JOIN detection_checkpoint c ON c."partition" = l."partition"
       WHERE l.position > coalesce(c.position, 0)`,
    );
    return Number(rows[0]!.points);
  }

  /** Makes the log in the database assign positions above this one from now on. */
  async goOnAbove(position: number, tx: Tx): Promise<void> {
    await tx.query('SELECT point_log_go_on_above($1)', [position]);
  }
}
