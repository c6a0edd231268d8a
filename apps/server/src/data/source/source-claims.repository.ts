import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OutboxClaimingRepository } from '../../common/outbox/outbox-claiming.repository.js';
import { type ClaimedSource } from './source.types.js';

/** Changes by a read. Times in Unix seconds; omitted members keep their values. */
export interface ReadOutcome {
  nextReadAt: number;
  watermark?: number;
  isBackfilling?: boolean;
  chunkIntervals?: number;
  seriesCount?: number;
  pointsPerInterval?: number;
  failures?: number;
  lastError?: string | null;
  lastSuccessAt?: number;
}

/** Lag of each organisation. */
export interface OrgLag {
  orgId: number;
  seconds: number;
}

/** Sources as the processes that read them share them: each is claimed by one, for a while. */
@Injectable()
export class SourceClaimsRepository extends OutboxClaimingRepository<ClaimedSource> {
  constructor(dataSource: DataSource) {
    super(dataSource, {
      name: 'source',
      waits: `q.enabled AND q.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM org o WHERE o.id = q.org_id AND o.deleted_at IS NULL)`,
      queue: 'q.org_id',
      answered: `d.id, d.org_id AS "orgId", d.name, d.type, d.url, d.query, d.username,
        d.secrets_sealed AS "secretsSealed", d.interval_seconds AS "intervalSeconds", d.lag_seconds AS "lagSeconds",
        d.backfill_seconds AS "backfillSeconds", d.name_template AS "nameTemplate", d.metric_type AS "metricType", d.unit,
        d.timeout_seconds AS "timeoutSeconds", d.max_series AS "maxSeries", d.enabled, d.write_back AS "writeBack",
        d.watermark,
        d.is_backfilling AS "isBackfilling", d.chunk_intervals AS "chunkIntervals",
        d.points_per_interval AS "pointsPerInterval", d.failures, d.tries,
        extract(epoch FROM d.created_at)::float8 AS "createdAt"`,
    });
  }

  /** Extends a claim; false if it no longer belongs to this process. */
  async renew(orgId: number, id: number, claim: number, until: number): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE source SET due_at = to_timestamp($4::float8) WHERE org_id = $1 AND id = $2 AND tries = $3`,
      [orgId, id, claim, until],
    );
    return changed === 1;
  }

  /**
   * Records the outcome of a read and ends the claim; false, without a change, if the claim no longer belongs to this
   * process.
   */
  async finish(orgId: number, id: number, claim: number, outcome: ReadOutcome): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE source SET
         -- A renewal that comes late finds another number.
         tries = tries + 1,
         due_at = to_timestamp($4::float8),
         watermark = coalesce($5::float8, watermark),
         is_backfilling = coalesce($6::boolean, is_backfilling),
         chunk_intervals = coalesce($7::integer, chunk_intervals),
         series_count = coalesce($8::integer, series_count),
         points_per_interval = coalesce($9::float8, points_per_interval),
         failures = coalesce($10::integer, failures),
         last_error = CASE WHEN $11::boolean THEN $12::text ELSE last_error END,
         last_success_at = coalesce(to_timestamp($13::float8), last_success_at)
       WHERE org_id = $1 AND id = $2 AND tries = $3`,
      [
        orgId,
        id,
        claim,
        outcome.nextReadAt,
        outcome.watermark ?? null,
        outcome.isBackfilling ?? null,
        outcome.chunkIntervals ?? null,
        outcome.seriesCount ?? null,
        outcome.pointsPerInterval ?? null,
        outcome.failures ?? null,
        outcome.lastError !== undefined,
        outcome.lastError ?? null,
        outcome.lastSuccessAt ?? null,
      ],
    );
    return changed === 1;
  }

  /** Lag of the slowest source of each organisation behind the available data, without backfills. */
  lagsOfAll(now: number): Promise<OrgLag[]> {
    return this.dataSource.query(
      `SELECT org_id AS "orgId", max(greatest(0, $1::float8 - lag_seconds - interval_seconds - watermark)) AS seconds
       FROM source WHERE enabled AND deleted_at IS NULL AND NOT is_backfilling AND watermark IS NOT NULL
       GROUP BY org_id ORDER BY seconds DESC`,
      [now],
    );
  }

  /** Number of sources that are read, and of those whose last read failed. */
  async countsOfAll(): Promise<{ enabled: number; failing: number }> {
    const [row] = await this.dataSource.query<{ enabled: number; failing: number }[]>(
      `SELECT count(*)::integer AS enabled, (count(*) FILTER (WHERE failures > 0))::integer AS failing
       FROM source WHERE enabled AND deleted_at IS NULL`,
    );
    return row!;
  }
}
