import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { type AlertChannel, type AlertKind } from '#libs/alerting';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { type Window } from '../../common/window/window.js';
import { AlertDeliveryEntity } from '../../alerting/alert/alert-delivery.entity.js';
import { type DeliveryState } from '../../analysis/alert-history/delivery-state.types.js';

export interface DeliveryListFilter extends Window {
  /** Empty = all. */
  states: readonly DeliveryState[];
  channels: readonly AlertChannel[];
  kinds: readonly AlertKind[];
  watcherId?: number | undefined;
  anomalyId?: number | undefined;
  incidentId?: number | undefined;
}

/** Data of a message that the list shows in addition to its record. Times in Unix seconds. */
export interface DeliveryRow {
  id: number;
  incidentId: number | null;
  createdAt: number;
  nextAttemptAt: number | null;
}

const ROW = `d.id, a.incident_id AS "incidentId",
  floor(extract(epoch FROM d.created_at))::float8 AS "createdAt",
  CASE WHEN d.state IN ('queued', 'retrying') THEN floor(extract(epoch FROM d.due_at))::float8 END AS "nextAttemptAt"`;

/** A deleted watcher still counts while messages about it exist. */
const SUBJECTS = {
  watcher: `SELECT FROM watcher WHERE org_id = $1 AND id = $2
            UNION ALL SELECT FROM alert WHERE org_id = $1 AND watcher_id = $2`,
  anomaly: 'SELECT FROM anomaly WHERE org_id = $1 AND id = $2',
  incident: 'SELECT FROM incident WHERE org_id = $1 AND id = $2',
} as const;
export type DeliverySubject = keyof typeof SUBJECTS;

/** Reads messages of alerts for people. */
@Injectable()
export class DeliveryListRepository {
  constructor(@InjectRepository(AlertDeliveryEntity) private readonly rows: Repository<AlertDeliveryEntity>) {}

  /** Newest first, by the time at which they were sent or given up, otherwise queued. */
  async findPage(
    orgId: number,
    { from, until, states, channels, kinds, watcherId, anomalyId, incidentId }: DeliveryListFilter,
    { limit, offset }: Page,
  ): Promise<{ deliveries: DeliveryRow[]; total: number }> {
    // Includes messages within the last second of the window.
    const values: unknown[] = [orgId, from, until + 1];
    const conditions = [
      `(d.settled_at >= to_timestamp($2) AND d.settled_at < to_timestamp($3)
        OR d.settled_at IS NULL AND d.created_at >= to_timestamp($2) AND d.created_at < to_timestamp($3))`,
    ];
    const add = (value: unknown, condition: (place: string) => string): void => {
      values.push(value);
      conditions.push(condition(`$${String(values.length)}`));
    };
    if (states.length > 0) add(states, (place) => `d.state = ANY(${place})`);
    if (channels.length > 0) add(channels, (place) => `d.channel = ANY(${place})`);
    if (kinds.length > 0) add(kinds, (place) => `a.kind = ANY(${place})`);
    if (watcherId !== undefined) add(watcherId, (place) => `a.watcher_id = ${place}`);
    if (incidentId !== undefined) add(incidentId, (place) => `a.incident_id = ${place}`);
    if (anomalyId !== undefined) {
      add(
        anomalyId,
        (place) => `d.alert_id IN (SELECT alert_id FROM alert_subject WHERE anomaly_ids @> ARRAY[${place}::integer])`,
      );
    }
    const chosen = `FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
      WHERE d.org_id = $1 AND ${conditions.join(' AND ')}`;
    const [counted, deliveries] = await Promise.all([
      this.rows.query<{ total: number }[]>(`SELECT count(*)::integer AS total ${chosen}`, values),
      this.rows.query<DeliveryRow[]>(
        `SELECT ${ROW} ${chosen} ORDER BY coalesce(d.settled_at, d.created_at) DESC, d.id DESC
         LIMIT $${String(values.length + 1)} OFFSET $${String(values.length + 2)}`,
        [...values, limit, offset],
      ),
    ]);
    return { deliveries, total: counted[0]?.total ?? 0 };
  }

  async find(orgId: number, id: number): Promise<DeliveryRow | undefined> {
    const rows = await this.rows.query<DeliveryRow[]>(
      `SELECT ${ROW} FROM alert_delivery d JOIN alert a ON a.id = d.alert_id WHERE d.org_id = $1 AND d.id = $2`,
      [orgId, id],
    );
    return rows[0];
  }

  async hasSubject(orgId: number, subject: DeliverySubject, id: number): Promise<boolean> {
    const rows = await this.rows.query<object[]>(`SELECT FROM (${SUBJECTS[subject]}) s LIMIT 1`, [orgId, id]);
    return rows.length > 0;
  }
}
