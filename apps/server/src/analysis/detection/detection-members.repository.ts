import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Processes with the role `detect`, according to their last reports. */
@Injectable()
export class DetectionMembersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reports a process, and returns the ids of all that have reported recently, including itself.
   * @param expireSeconds after this time without a report a process no longer counts
   */
  async report(id: string, expireSeconds: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `WITH expired AS (
         DELETE FROM detection_member WHERE seen_at < clock_timestamp() - make_interval(secs => 10 * $2)
       ), reported AS (
         INSERT INTO detection_member (id, seen_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
         RETURNING id
       )
       SELECT id FROM reported
       UNION SELECT id FROM detection_member WHERE seen_at >= clock_timestamp() - make_interval(secs => $2)`,
      [id, expireSeconds],
    );
    return rows.map((row) => row.id);
  }

  /** The process no longer detects. */
  async remove(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM detection_member WHERE id = $1', [id]);
  }
}
