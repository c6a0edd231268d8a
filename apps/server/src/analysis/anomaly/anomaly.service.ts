import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { pageOf, type PageDto } from '../../common/paging/paging.js';
import { resolveWindow } from '../../common/window/window.js';
import { MetricWatchersService } from '../../data/metric/metric-watchers.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { IncidentService } from '../incident/incident.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnalysisVariables } from '../../people/org/org.types.js';
import { AnomalyPresenter } from './anomaly-presenter.js';
import { type AnomalyRefDto, toAnomalyRefDto } from './anomaly-ref.dto.js';
import { type AnomalyDto } from './anomaly.dto.js';
import { ReferenceNotFoundError } from './anomaly.errors.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type AnomalyFilter } from './anomaly.types.js';
import { type AnomaliesDto, type MetricAnomaliesDto } from './dto/anomaly-answers.dto.js';
import { type ListAnomaliesParams, type ListMetricAnomaliesParams } from './dto/anomaly.params.js';
import { isTrainer } from './training.js';

/** The members of a class instance as a plain object. */
type Fields<T> = { [Name in keyof T]: T[Name] };

/** Finds anomalies and describes them. */
@Injectable()
export class AnomalyService {
  constructor(
    private readonly anomalies: AnomalyRepository,
    private readonly presenter: AnomalyPresenter,
    private readonly metrics: MetricService,
    private readonly incidents: IncidentService,
    private readonly orgs: OrgService,
    private readonly watchers: MetricWatchersService,
    private readonly clock: Clock,
  ) {}

  async list(caller: KnownCaller, query: ListAnomaliesParams): Promise<AnomaliesDto> {
    const orgId = caller.org.id;
    const { incident_id: incidentId } = query;
    if (incidentId !== undefined && !(await this.incidents.isThere(orgId, incidentId))) {
      throw new ReferenceNotFoundError('incident_id', incidentId);
    }
    const watched =
      query.watcher_id === undefined ? undefined : await this.watchers.findWatched(orgId, query.watcher_id);
    if (watched === null) throw new ReferenceNotFoundError('watcher_id', query.watcher_id!);
    const metric = query.metric && (await this.metrics.resolve(orgId, query.metric, 'metric'));
    const filter: AnomalyFilter = {
      metricId: metric?.id,
      chips: query.chips,
      scoreMin: query.score_min > 0 ? query.score_min : undefined,
      severityMin: query.severity_min > 0 ? query.severity_min : undefined,
      positive: query.positive,
      trainable: query.trainable === undefined ? undefined : { wanted: query.trainable, mayTrain: isTrainer(caller) },
      acknowledged: query.acknowledged,
      incidentId,
      watched,
    };
    return this.page(caller, query, filter, await this.orgs.getAnalysisVariables(orgId));
  }

  async listOfMetric(
    caller: KnownCaller,
    ref: MetricRef,
    query: ListMetricAnomaliesParams,
  ): Promise<MetricAnomaliesDto> {
    return this.listOfMetricWith(await this.orgs.getAnalysisVariables(caller.org.id), caller, ref, query);
  }

  /** For areas that have read the settings of the organisation. */
  async listOfMetricWith(
    settings: AnalysisVariables,
    caller: KnownCaller,
    ref: MetricRef,
    query: ListMetricAnomaliesParams,
  ): Promise<MetricAnomaliesDto> {
    const metric = await this.metrics.resolve(caller.org.id, ref);
    const page: Fields<AnomaliesDto> = await this.page(caller, query, { metricId: metric.id }, settings);
    return { metric: metric.name, metric_id: metric.id, ...page };
  }

  /** The newest ones in short form and their total number, of all anomalies or of those that the caller can train. */
  async newest(
    caller: KnownCaller,
    which: 'all' | 'trainable',
    limit: number,
  ): Promise<{ anomalies: AnomalyRefDto[]; total: number }> {
    const { org } = caller;
    const page = { limit, offset: 0, order: 'newest' } as const;
    const filter = which === 'all' ? {} : { trainable: { wanted: true, mayTrain: isTrainer(caller) } };
    const { anomalies, total } = await this.anomalies.list(org.id, filter, page, this.clock.now());
    return { anomalies: anomalies.map((anomaly) => toAnomalyRefDto(anomaly, org.timezone)), total };
  }

  /** The existing anomalies among the ids in short form, in the order of the ids. */
  async refs(caller: KnownCaller, ids: readonly number[]): Promise<AnomalyRefDto[]> {
    const found = await this.anomalies.findMany(caller.org.id, ids);
    const byId = new Map(found.map((anomaly) => [anomaly.id, anomaly]));
    return ids.flatMap((id) => {
      const anomaly = byId.get(id);
      return anomaly === undefined ? [] : [toAnomalyRefDto(anomaly, caller.org.timezone)];
    });
  }

  /** Records of the existing anomalies among the ids, by id. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<Map<number, AnomalyDto>> {
    const orgId = caller.org.id;
    const [found, settings] = await Promise.all([
      this.anomalies.findMany(orgId, ids),
      this.orgs.getAnalysisVariables(orgId),
    ]);
    const records = await this.presenter.present(caller, found, settings);
    return new Map(records.map((record) => [record.id!, record]));
  }

  private async page(
    caller: KnownCaller,
    query: ListMetricAnomaliesParams,
    filter: AnomalyFilter,
    settings: AnalysisVariables,
  ): Promise<AnomaliesDto> {
    const orgId = caller.org.id;
    const now = this.clock.now();
    const window = resolveWindow(query, now, settings.retention2PeriodSeconds);
    const { anomalies, total } = await this.anomalies.list(
      orgId,
      { ...filter, window, states: query.state, kinds: query.kind },
      query,
      now,
    );
    const page: Fields<PageDto> = pageOf(query, total);
    return { anomalies: await this.presenter.present(caller, anomalies, settings), ...window, ...page };
  }
}
