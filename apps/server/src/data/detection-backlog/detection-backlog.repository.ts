import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Backlog {
  /** Points in the log whose effects are not stored yet. */
  points: number;
  /** Unix seconds at which the oldest of them was appended; null when there is none. */
  oldestAppendedAt: number | null;
}

@Injectable()
export class DetectionBacklogRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Over all partitions. Reads the index of the log from where detection stands; payloads are not touched. */
  async read(): Promise<Backlog> {
    const rows: { points: string; oldest: number | null }[] = await this.dataSource.query(
      `SELECT coalesce(sum(waiting.points), 0) AS points, min(waiting.oldest) AS oldest
       FROM point_log_layout layout
       CROSS JOIN generate_series(0, layout.partitions - 1) AS p
       LEFT JOIN detection_checkpoint c ON c."partition" = p
       CROSS JOIN LATERAL (
         SELECT sum(l.points) AS points, min(l.appended_at) AS oldest
         FROM point_log l
         WHERE l."partition" = p AND l.position > coalesce(c.applied_position, 0) AND l.points > 0
       ) AS waiting`,
    );
    const row = rows[0]!;
    return { points: Number(row.points), oldestAppendedAt: row.oldest };
  }
}
