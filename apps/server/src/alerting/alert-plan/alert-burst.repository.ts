import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';

/** Number of incidents without a sent message that form a burst. */
const MIN_INCIDENTS = 10;
/**
 * An incident that begins within this time after the burst joins it. Later ones get separate messages, or a separate
 * burst if they are many: a slow chain of them must not be hidden behind an old message. Seconds.
 */
const JOINING_SECONDS = 120;
/** An older incident is not part of the current events. Seconds. */
const FRESH_SECONDS = 600;

/**
 * Many incidents that begin at the same moment without a shared property visible to grouping: all metrics of the only
 * host. For recipients they are one event.
 */
@Injectable()
export class AlertBurstRepository {
  /** The burst of each incident that belongs to one, among the given ones and all that share a burst with them. */
  async join(orgId: number, incidentIds: readonly number[], now: number, tx: Tx): Promise<Map<number, number>> {
    if (incidentIds.length === 0) return new Map();
    const fresh = await this.fresh(orgId, incidentIds, now, tx);
    if (fresh.length > 0) {
      const active = await this.active(orgId, now, tx);
      if (active !== null || fresh.length >= MIN_INCIDENTS) {
        await tx.query(
          `INSERT INTO alert_burst (incident_id, org_id, burst_id, joined_at)
           SELECT id, $1, $3, $4 FROM unnest($2::integer[]) AS id ON CONFLICT DO NOTHING`,
          [orgId, fresh, active ?? Math.min(...fresh), now],
        );
      }
    }
    const rows: { incidentId: number; burstId: number }[] = await tx.query(
      `SELECT b.incident_id AS "incidentId", b.burst_id AS "burstId" FROM alert_burst b
       WHERE b.org_id = $1 AND b.burst_id IN (
         SELECT o.burst_id FROM alert_burst o WHERE o.org_id = $1 AND o.incident_id = ANY($2::integer[]))`,
      [orgId, incidentIds],
    );
    return new Map(rows.map(({ incidentId, burstId }) => [incidentId, burstId]));
  }

  /** Incidents that have just begun without a sent message, including others than the given ones. */
  private async fresh(orgId: number, incidentIds: readonly number[], now: number, tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `SELECT i.id FROM incident i
       WHERE i.org_id = $1 AND i.start_timestamp > $3 AND i.anomalies_count > 0
         AND (i.id = ANY($2::integer[])
              OR i.id IN (SELECT p.incident_id FROM alert_plan p WHERE p.org_id = $1 AND p.phase = 'held'))
         AND NOT EXISTS (SELECT FROM alert_plan p WHERE p.incident_id = i.id AND p.phase <> 'held')
         AND NOT EXISTS (SELECT FROM alert_burst b WHERE b.incident_id = i.id)`,
      [orgId, incidentIds, now - FRESH_SECONDS],
    );
    return rows.map(({ id }) => id);
  }

  /** The burst that began recently. */
  private async active(orgId: number, now: number, tx: Tx): Promise<number | null> {
    const rows: { id: number }[] = await tx.query(
      `SELECT b.burst_id AS id FROM alert_burst b WHERE b.org_id = $1 AND b.joined_at > $2
         AND NOT EXISTS (SELECT FROM alert_burst o WHERE o.burst_id = b.burst_id AND o.joined_at <= $2)
       ORDER BY b.joined_at DESC LIMIT 1`,
      [orgId, now - JOINING_SECONDS],
    );
    return rows[0]?.id ?? null;
  }
}
