import { Injectable } from '@nestjs/common';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Repository } from 'typeorm';
import { StreamEventEntity } from '../../platform/stream-log/stream-event.entity.js';
import { PAGE_ROWS, type StreamRow } from './stream.types.js';

/** The first and the last position of the stream of an organisation. */
interface Bounds {
  /** All events after this one are stored. */
  floor: number;
  /** The newest event that ever existed; 0 if there was none. */
  head: number;
}

/** Reads the entries of the event stream. */
@Injectable()
export class StreamRepository {
  constructor(@InjectRepository(StreamEventEntity) private readonly rows: Repository<StreamEventEntity>) {}

  async bounds(orgId: number): Promise<Bounds> {
    const rows: Bounds[] = await this.rows.query(
      `SELECT coalesce(f.event_id, 0)::float8 AS floor, greatest(f.event_id, e.id, 0)::float8 AS head
       FROM (SELECT max(id) AS id FROM stream_event WHERE org_id = $1) AS e
       LEFT JOIN stream_floor f ON f.org_id = $1`,
      [orgId],
    );
    return rows[0]!;
  }

  /** Events after `id`, oldest first, at most a page. */
  after(orgId: number, id: number): Promise<StreamRow[]> {
    return this.rows.query(
      `SELECT id::float8 AS id, type, floor(extract(epoch FROM happened_at))::float8 AS timestamp,
              subject_id AS "subjectId", metric_id AS "metricId"
       FROM stream_event WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [orgId, id, PAGE_ROWS],
    );
  }

  /** Number of events after `id`, counted up to `most`, and the time of the first of them, in Unix seconds. */
  async countAfter(orgId: number, id: number, most: number): Promise<{ count: number; first: number | null }> {
    const rows: { count: number; first: number | null }[] = await this.rows.query(
      `SELECT count(*)::integer AS count, extract(epoch FROM min(happened_at))::float8 AS first
       FROM (SELECT happened_at FROM stream_event WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS e`,
      [orgId, id, most],
    );
    return rows[0]!;
  }
}
