import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { HOUR } from '../../common/time.js';
import { titleOf } from './event.functions.js';
import { EVENTS_KEPT_SECONDS, type EventNames, type OrgEvent } from './event.types.js';

export interface TimedEvent extends OrgEvent {
  /** Unix seconds. */
  timestamp: number;
}

type WrittenEvent = Omit<TimedEvent, 'message'> & { message: string };

/** Writes and drops events in batches. */
@Injectable()
export class EventRecordingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the given order. Events of deleted organisations are dropped. */
  async insert(events: readonly TimedEvent[]): Promise<void> {
    const rows = (await this.written(events)).map(storable).map((event) => ({
      org_id: event.orgId,
      happened_at: event.timestamp,
      type: event.type,
      level: event.level,
      title: event.title ?? titleOf(event.type),
      text: event.message,
      user_id: event.userId,
      metric_id: event.metricId,
      metric: event.metric,
      anomaly_id: event.anomalyId,
      watcher_id: event.watcherId,
      ref_kind: event.ref?.kind,
      ref_id: event.ref?.id,
      details: event.details ?? {},
    }));
    await this.dataSource.query(
      `INSERT INTO org_event (org_id, happened_at, type, level, title, text, user_id, metric_id, metric, anomaly_id,
              watcher_id, ref_kind, ref_id, details)
       SELECT e.org_id, to_timestamp(e.happened_at), e.type, e.level, e.title, e.text, e.user_id, e.metric_id,
              coalesce(e.metric, m.name), e.anomaly_id, e.watcher_id, e.ref_kind, e.ref_id, e.details
       FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (
              org_id integer, happened_at float8, type text, level text, title text, text text, user_id integer,
              metric_id integer, metric text, anomaly_id integer, watcher_id integer, ref_kind text, ref_id text,
              details jsonb)) WITH ORDINALITY AS e (org_id, happened_at, type, level, title, text, user_id, metric_id,
              metric, anomaly_id, watcher_id, ref_kind, ref_id, details, place)
       JOIN org o ON o.id = e.org_id
       LEFT JOIN metric m ON m.id = e.metric_id AND m.org_id = e.org_id AND e.metric IS NULL
       ORDER BY e.place`,
      [JSON.stringify(rows)],
    );
  }

  /** With the texts that contain names. */
  private async written(events: readonly TimedEvent[]): Promise<WrittenEvent[]> {
    const rows = events.flatMap(({ message, orgId, metricId, metric, userId }, place) =>
      typeof message === 'string' ? [] : { place, org_id: orgId, metric_id: metricId, metric, user_id: userId },
    );
    const found: (EventNames & { place: number })[] =
      rows.length === 0
        ? []
        : await this.dataSource.query(
            `SELECT e.place, coalesce(e.metric, m.name) AS metric,
                    CASE WHEN u.name = '' THEN 'User ' || u.id ELSE u.name END AS user
             FROM jsonb_to_recordset($1::jsonb) AS e (place integer, org_id integer, metric_id integer, metric text,
                    user_id integer)
             LEFT JOIN metric m ON m.id = e.metric_id AND m.org_id = e.org_id
             LEFT JOIN user_account u ON u.id = e.user_id AND u.org_id = e.org_id`,
            [JSON.stringify(rows)],
          );
    const names = new Map(found.map((one) => [one.place, one]));
    return events.map(({ message, ...event }, place) => {
      if (typeof message === 'string') return { ...event, message };
      const found = names.get(place)!;
      return { ...event, metric: found.metric ?? undefined, message: message(found) };
    });
  }

  /** Drops at most `limit` events that are older than 400 days at `now` (Unix seconds); returns their number. */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old events could not be dropped', role: 'detect', batch: 10_000 })
  async dropExpired(now: number, limit: number): Promise<number> {
    const [, dropped]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM org_event WHERE id IN (
         SELECT id FROM org_event WHERE happened_at < to_timestamp($1) ORDER BY happened_at LIMIT $2)`,
      [now - EVENTS_KEPT_SECONDS, limit],
    );
    return dropped;
  }
}

/**
 * Removes characters that the database refuses: NUL, and halves of surrogate pairs, which may be at the end of a
 * truncated text.
 */
function storable(event: WrittenEvent): WrittenEvent {
  return replaced(event) as WrittenEvent;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [String(replaced(name)), replaced(member)]));
}
