import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Window } from '../../common/window/window.js';
import { OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { AnomalyEntity } from '../anomaly/anomaly.entity.js';

export interface SparklineAnomaly {
  metricId: number;
  from: number;
  until: number | null;
  severity: number;
}

@Injectable()
export class SparklineRepository {
  constructor(@InjectRepository(AnomalyEntity) private readonly rows: Repository<AnomalyEntity>) {}

  /** The latest anomalies of some metrics that overlap a window, up to a number of each, oldest first. */
  listAnomalies(
    orgId: number,
    metricIds: readonly number[],
    window: Window,
    most: number,
  ): Promise<SparklineAnomaly[]> {
    return this.rows.query(
      `SELECT wanted.id AS "metricId", a.start_timestamp AS "from", ${OUT_UNTIL_SQL} AS "until", a.severity
       FROM unnest($2::integer[]) AS wanted(id)
       CROSS JOIN LATERAL (
         SELECT metric_id, start_timestamp, end_timestamp, out_until_timestamp, severity FROM anomaly
         WHERE org_id = $1 AND metric_id = wanted.id AND start_timestamp <= $4
           AND (end_timestamp IS NULL OR end_timestamp >= $3)
         ORDER BY start_timestamp DESC LIMIT $5) AS a
       ORDER BY wanted.id, a.start_timestamp`,
      [orgId, metricIds, window.from, window.until, most],
    );
  }
}
