import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OutboxClaimingRepository } from '../../common/outbox/outbox-claiming.repository.js';
import { type StoredSource } from '../../data/source/source-drivers.service.js';

/** A source that a process has claimed for one write-back. Times in Unix seconds. */
export interface ClaimedWriteBack extends StoredSource {
  id: number;
  /** Start of the newest written slot; null before the first. */
  watermark: number | null;
  /** All points of the source up to here are stored. */
  readUntil: number;
  /** Of the last read. */
  seriesCount: number | null;
  failures: number;
  /** The number of the claim: later writes of an earlier claim are ignored. */
  tries: number;
}

/** The changes of a turn. Times in Unix seconds; omitted members keep their values. */
export interface WriteBackOutcome {
  nextWriteAt: number;
  watermark?: number;
  failures?: number;
  isStopped?: boolean;
  lastError?: string | null;
}

/** Sources with write-back, shared between processes: each is claimed by one, for a while. */
@Injectable()
export class WriteBackClaimsRepository extends OutboxClaimingRepository<ClaimedWriteBack> {
  constructor(dataSource: DataSource) {
    super(dataSource, {
      name: 'source_write_back',
      waits: `NOT q.is_stopped AND EXISTS (
        SELECT 1 FROM source s JOIN org o ON o.id = s.org_id
        WHERE s.id = q.id AND s.enabled AND s.write_back AND s.deleted_at IS NULL AND o.deleted_at IS NULL
          AND NOT s.is_backfilling AND s.watermark IS NOT NULL)`,
      queue: 'q.org_id',
      joined: 'JOIN source s ON s.id = c.id',
      answered: `d.id, d.org_id AS "orgId", d.watermark, d.failures, d.tries, s.watermark AS "readUntil",
        s.series_count AS "seriesCount", s.name, s.type, s.url, s.query, s.username, s.secrets_sealed AS "secretsSealed",
        s.interval_seconds AS "intervalSeconds", s.lag_seconds AS "lagSeconds", s.backfill_seconds AS "backfillSeconds",
        s.name_template AS "nameTemplate", s.metric_type AS "metricType", s.unit, s.timeout_seconds AS "timeoutSeconds",
        s.max_series AS "maxSeries", s.enabled, s.write_back AS "writeBack"`,
    });
  }

  /** Extends a claim; false if it no longer belongs to this process. */
  async renew(orgId: number, id: number, claim: number, until: number): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE source_write_back SET due_at = to_timestamp($4::float8) WHERE org_id = $1 AND id = $2 AND tries = $3`,
      [orgId, id, claim, until],
    );
    return changed === 1;
  }

  /**
   * Records the outcome of a turn and ends the claim; false, without a change, if the claim no longer belongs to this
   * process.
   */
  async finish(orgId: number, id: number, claim: number, outcome: WriteBackOutcome): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE source_write_back SET
         -- A renewal that comes late finds another number.
         tries = tries + 1,
         due_at = to_timestamp($4::float8),
         watermark = coalesce($5::float8, watermark),
         failures = coalesce($6::integer, failures),
         is_stopped = coalesce($7::boolean, is_stopped),
         last_error = CASE WHEN $8::boolean THEN $9::text ELSE last_error END
       WHERE org_id = $1 AND id = $2 AND tries = $3`,
      [
        orgId,
        id,
        claim,
        outcome.nextWriteAt,
        outcome.watermark ?? null,
        outcome.failures ?? null,
        outcome.isStopped ?? null,
        outcome.lastError !== undefined,
        outcome.lastError ?? null,
      ],
    );
    return changed === 1;
  }
}
