import { Injectable } from '@nestjs/common';
import { type AnomalyRefDto } from '../../analysis/anomaly/anomaly-ref.dto.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type IncidentOrigin } from '../../analysis/incident/incident-origin.dto.js';
import { type IncidentDto } from '../../analysis/incident/incident.dto.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';

/** A metric of an incident with its anomalies. */
export interface IncidentMember {
  metric: MetricRecord;
  /** Null: not among the listed likely origins. */
  origin: IncidentOrigin | null;
  anomalies: AnomalyRefDto[];
}

/** Lists the metrics of an incident, the likeliest origin first. */
@Injectable()
export class IncidentMembersService {
  constructor(
    private readonly anomalies: AnomalyService,
    private readonly metrics: MetricService,
  ) {}

  /** The first metrics, and the number of others. */
  async list(
    caller: KnownCaller,
    { anomaly_ids: ids, origins, metrics_count: count }: IncidentDto,
    most: number,
  ): Promise<{ members: IncidentMember[]; more: number }> {
    const byMetric = new Map<number, AnomalyRefDto[]>(origins.map(({ metric_id: id }) => [id, []]));
    // Origins are ordered by likelihood, all other metrics by their first anomaly.
    for (const anomaly of await this.anomalies.refs(caller, ids)) {
      const known = byMetric.get(anomaly.metric_id);
      if (known === undefined) byMetric.set(anomaly.metric_id, [anomaly]);
      else known.push(anomaly);
    }
    const wanted = [...byMetric].filter(([, anomalies]) => anomalies.length > 0).slice(0, most);
    const records = await this.metrics.findByIds(
      caller.org.id,
      wanted.map(([id]) => id),
    );
    const byId = new Map(records.map((metric) => [metric.id, metric]));
    const originOf = new Map(origins.map((origin) => [origin.metric_id, origin]));
    const members = wanted.flatMap(([id, anomalies]) => {
      const metric = byId.get(id);
      return metric === undefined ? [] : [{ metric, origin: originOf.get(id) ?? null, anomalies }];
    });
    return { members, more: Math.max(0, count - members.length) };
  }
}
