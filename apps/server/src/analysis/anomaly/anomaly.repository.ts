import { Injectable } from '@nestjs/common';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { type WatchedAnomalies } from '../../data/metric/metric-watchers.types.js';
import { OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { AnomalyEntity } from './anomaly.entity.js';
import {
  type Anomaly,
  type AnomalyCounts,
  type AnomalyFilter,
  type AnomalyListing,
  type AnomalyOrder,
} from './anomaly.types.js';
import { POINTS_TO_TRAIN, TRAINABLE_SECONDS } from './training.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';
import { DAY } from '../../common/time.js';

/** The reasons of the detector, then those of the explanation (anomaly-verdicts.service.ts); at most ten items. */
const EXPLANATION = `CASE WHEN v.explanation IS NULL THEN a.explanation
  ELSE jsonb_path_query_array(a.explanation, '$[0 to 7]') || v.explanation END`;

const COLUMNS: Readonly<Record<keyof Anomaly, string>> = {
  id: 'a.id',
  orgId: 'a.org_id',
  metricId: 'a.metric_id',
  metricName: 'm.name',
  metricType: 'm.type',
  metricUnit: 'm.unit',
  metricFirstTimestamp: 'm.first_timestamp',
  metricPoints: 'm.points',
  startTimestamp: 'a.start_timestamp',
  endTimestamp: 'a.end_timestamp',
  outUntilTimestamp: OUT_UNTIL_SQL,
  peakTimestamp: 'a.peak_timestamp',
  value: 'a.value',
  peakValue: 'a.peak_value',
  expected: 'a.expected',
  lower: 'a.lower',
  upper: 'a.upper',
  score: 'a.score',
  severity: 'a.severity',
  rarityDays: 'a.rarity_days',
  kind: 'a.kind',
  explanation: EXPLANATION,
  state: 'a.state',
  closeReason: 'a.close_reason',
  backfill: 'a.backfill',
  unconfirmed: 'a.unconfirmed',
  positive: 'a.positive',
  acknowledgedBy: 'a.acknowledged_by',
  acknowledgedAt: 'extract(epoch FROM a.acknowledged_at)::float8',
  acknowledgeNote: 'a.acknowledge_note',
  incidentId: 'ia.incident_id',
  // It may have been erased since.
  lookAlikeId: '(SELECT l.id FROM anomaly l WHERE l.id = v.look_alike_id)',
};

/** Every order is total: the id breaks ties. */
const ORDERS: Readonly<Record<AnomalyOrder, readonly [column: string, direction: 'ASC' | 'DESC'][]>> = {
  newest: [['a.start_timestamp', 'DESC']],
  oldest: [['a.start_timestamp', 'ASC']],
  score: [['a.score', 'DESC']],
  severity: [['a.severity', 'DESC']],
};

/** Reads anomalies together with the name of their metric. */
@Injectable()
export class AnomalyRepository {
  constructor(@InjectRepository(AnomalyEntity) private readonly rows: Repository<AnomalyEntity>) {}

  async find(orgId: number, id: number): Promise<Anomaly | null> {
    if (id > MAX_ROW_ID) return null;
    const row = await select(this.selectOrg(orgId).andWhere('a.id = :id', { id })).getRawOne<Anomaly>();
    return row ?? null;
  }

  /** Existing anomalies, ordered by id. */
  findMany(orgId: number, ids: readonly number[]): Promise<Anomaly[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return select(this.selectOrg(orgId).andWhere('a.id = ANY(:ids)', { ids })).orderBy('a.id').getRawMany<Anomaly>();
  }

  /** `now` defines which anomalies can still be trained, and the state of a metric for chips. */
  async list(
    orgId: number,
    filter: AnomalyFilter,
    { limit, offset, order }: AnomalyListing,
    now: number,
  ): Promise<{ anomalies: Anomaly[]; total: number }> {
    const counted = await this.filtered(orgId, filter, now)
      .select('count(*)::integer', 'total')
      .getRawOne<{ total: number }>();
    const page = select(this.filtered(orgId, filter, now));
    for (const [column, direction] of ORDERS[order]) page.addOrderBy(column, direction);
    page.addOrderBy('a.id', order === 'oldest' ? 'ASC' : 'DESC');
    return { anomalies: await page.limit(limit).offset(offset).getRawMany<Anomaly>(), total: counted?.total ?? 0 };
  }

  /** The anomaly at a time: the latest one that covers it, otherwise the one with the nearest start. */
  async findAt(
    orgId: number,
    metricId: number,
    timestamp: number,
    tolerance: { slotSeconds: number; startSeconds: number },
  ): Promise<Anomaly | null> {
    const covers =
      'a.start_timestamp - :slotSeconds <= :timestamp AND (a.end_timestamp IS NULL OR a.end_timestamp + :slotSeconds >= :timestamp)';
    const row = await select(this.selectOrg(orgId))
      .andWhere('a.metric_id = :metricId', { metricId })
      .andWhere(`((${covers}) OR abs(a.start_timestamp - :timestamp) <= :startSeconds)`, { timestamp, ...tolerance })
      .orderBy(`CASE WHEN ${covers} THEN 0 ELSE 1 END`)
      .addOrderBy('abs(a.start_timestamp - :timestamp)')
      .addOrderBy('a.id')
      .limit(1)
      .getRawOne<Anomaly>();
    return row ?? null;
  }

  /** Other anomalies of the organisation that started close in time or belong to the same incident, nearest first. */
  related(
    orgId: number,
    { startTimestamp: timestamp, incidentId, id: exceptId }: Anomaly,
    seconds: number,
    limit: number,
  ): Promise<Anomaly[]> {
    return select(this.selectOrg(orgId))
      .andWhere('(a.start_timestamp BETWEEN :from AND :until OR ia.incident_id = :incidentId)', {
        from: timestamp - seconds,
        until: timestamp + seconds,
        incidentId,
      })
      .andWhere('a.id <> :exceptId', { exceptId: exceptId ?? 0 })
      .orderBy('abs(a.start_timestamp - :timestamp)')
      .addOrderBy('a.id')
      .setParameter('timestamp', timestamp)
      .limit(limit)
      .getRawMany<Anomaly>();
  }

  async counts(orgId: number, metricId: number, now: number): Promise<AnomalyCounts> {
    const since = (days: number) =>
      `count(*) FILTER (WHERE a.start_timestamp >= cast(:now AS float8) - ${String(days * DAY)})::integer`;
    const counts = await this.selectOrg(orgId)
      .andWhere('a.metric_id = :metricId', { metricId })
      .setParameter('now', now)
      .select('count(*)::integer', 'total')
      .addSelect(`count(*) FILTER (WHERE a.state = 'open')::integer`, 'open')
      .addSelect(since(1), 'last24Hours')
      .addSelect(since(7), 'last7Days')
      .addSelect(since(30), 'last30Days')
      .addSelect(`count(*) FILTER (WHERE a.state = 'trained')::integer`, 'trained')
      .addSelect('count(*) FILTER (WHERE a.positive)::integer', 'positive')
      .addSelect('count(*) FILTER (WHERE a.acknowledged_at IS NOT NULL)::integer', 'acknowledged')
      .addSelect('min(a.start_timestamp)', 'firstTimestamp')
      .addSelect('max(a.start_timestamp)', 'lastTimestamp')
      .addSelect(`max(coalesce(${OUT_UNTIL_SQL}, :now) - a.start_timestamp)`, 'longestSeconds')
      .getRawOne<AnomalyCounts>();
    // An aggregate without groups always returns one row.
    return counts!;
  }

  /** Anomalies that started since a time, by kind and by day in the zone. */
  async countsByKindAndDay(
    orgId: number,
    metricId: number,
    since: number,
    timezone: string,
  ): Promise<{ kind: string; date: string; count: number }[]> {
    return this.selectOrg(orgId)
      .andWhere('a.metric_id = :metricId AND a.start_timestamp >= :since', { metricId, since })
      .setParameter('timezone', timezone)
      .select('a.kind', 'kind')
      .addSelect(`to_char(to_timestamp(a.start_timestamp) AT TIME ZONE :timezone, 'YYYY-MM-DD')`, 'date')
      .addSelect('count(*)::integer', 'count')
      .groupBy('1')
      .addGroupBy('2')
      .orderBy('2')
      .addOrderBy('1')
      .getRawMany();
  }

  private filtered(orgId: number, filter: AnomalyFilter, now: number): SelectQueryBuilder<AnomalyEntity> {
    const {
      window,
      metricId,
      chips,
      states,
      kinds,
      scoreMin,
      severityMin,
      positive,
      trainable,
      acknowledged,
      incidentId,
      watched,
    } = filter;
    const query = this.selectOrg(orgId);
    if (window) {
      query.andWhere('a.start_timestamp <= :until AND (a.end_timestamp IS NULL OR a.end_timestamp >= :from)', window);
    }
    if (metricId !== undefined) query.andWhere('a.metric_id = :metricId', { metricId });
    const allChips = [...(chips ?? []), ...(watched?.chips ?? [])];
    if (allChips.length > 0) {
      const { where, parameters } = chipsToSql(allChips, 'm', now);
      query.andWhere(where, parameters);
    }
    if (states) query.andWhere('a.state = ANY(:states)', { states });
    if (kinds) query.andWhere('a.kind = ANY(:kinds)', { kinds });
    if (scoreMin !== undefined) query.andWhere('a.score >= :scoreMin', { scoreMin });
    if (severityMin !== undefined) query.andWhere('a.severity >= :severityMin', { severityMin });
    if (positive !== undefined) query.andWhere('a.positive = :positive', { positive });
    if (acknowledged !== undefined) query.andWhere('(a.acknowledged_at IS NOT NULL) = :acknowledged', { acknowledged });
    if (incidentId !== undefined) query.andWhere('ia.incident_id = :incidentId', { incidentId });
    if (watched !== undefined) restrictToWatched(query, watched, now);
    if (trainable !== undefined) query.andWhere(`(${TRAINABLE}) = :wanted`, { ...trainable, now });
    return query;
  }

  private selectOrg(orgId: number): SelectQueryBuilder<AnomalyEntity> {
    return this.rows
      .createQueryBuilder('a')
      .innerJoin('metric', 'm', 'm.id = a.metric_id')
      .leftJoin('incident_anomaly', 'ia', 'ia.anomaly_id = a.id')
      .leftJoin('anomaly_verdict', 'v', 'v.anomaly_id = a.id')
      .where('a.org_id = :orgId', { orgId });
  }
}

/** Flatlines and missing data have no direction: they pass both filters. */
const DIRECTION = `a.kind IN ('missing_data', 'flatline') OR a.peak_value IS NULL OR a.expected IS NULL
  OR CASE :direction WHEN 'up' THEN a.peak_value >= a.expected ELSE a.peak_value <= a.expected END`;

/**
 * Time up to which an anomaly is known to continue: rows count once the detector has processed them, silence counts by
 * the clock.
 */
const KNOWN_UNTIL = `CASE WHEN a.kind = 'missing_data' THEN cast(:watchedNow AS float8)
  ELSE least(cast(:watchedNow AS float8), m.last_timestamp) END`;

/** The chips are matched together with the others. */
function restrictToWatched(query: SelectQueryBuilder<AnomalyEntity>, watched: WatchedAnomalies, now: number): void {
  query.andWhere('cast(:hasAnomalies AS boolean) AND a.severity >= :minSeverity', {
    hasAnomalies: watched.hasAnomalies,
    minSeverity: watched.minSeverity,
  });
  if (watched.kinds.length > 0) query.andWhere('a.kind = ANY(:watchedKinds)', { watchedKinds: watched.kinds });
  if (watched.minDurationSeconds > 0) {
    query.andWhere(`coalesce(${OUT_UNTIL_SQL}, ${KNOWN_UNTIL}) - a.start_timestamp >= :minDurationSeconds`, {
      minDurationSeconds: watched.minDurationSeconds,
      watchedNow: now,
    });
  }
  if (watched.direction !== 'both') query.andWhere(`(${DIRECTION})`, { direction: watched.direction });
}

/** The condition of `trainingOf`. */
const TRAINABLE = `cast(:mayTrain AS boolean) AND a.state NOT IN ('trained', 'excluded')
  AND a.start_timestamp + ${String(TRAINABLE_SECONDS)} >= :now
  AND m.points >= ${String(POINTS_TO_TRAIN)}
  AND coalesce(m.first_timestamp + ${String(DAY)} <= :now, false)`;

function select(query: SelectQueryBuilder<AnomalyEntity>): SelectQueryBuilder<AnomalyEntity> {
  query.select([]);
  for (const [name, column] of Object.entries(COLUMNS)) query.addSelect(column, name);
  return query;
}
