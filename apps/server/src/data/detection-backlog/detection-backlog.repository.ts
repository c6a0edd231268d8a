import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class DetectionBacklogRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By partition: the log position up to which effects are stored; 0 where detection has not begun. */
  async appliedPositions(partitions: number): Promise<number[]> {
    const rows: { position: string }[] = await this.dataSource.query(
      `SELECT coalesce(c.applied_position, 0) AS position
       FROM generate_series(0, $1::integer - 1) AS p
       LEFT JOIN detection_checkpoint c ON c."partition" = p
       ORDER BY p`,
      [partitions],
    );
    return rows.map(({ position }) => Number(position));
  }
}
