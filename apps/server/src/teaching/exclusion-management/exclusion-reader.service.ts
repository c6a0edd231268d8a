import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { pageOf } from '../../common/paging/paging.js';
import { DAY } from '../../common/time.js';
import {
  type ExclusionDescriptionDto,
  type ExclusionsDto,
  type ExclusionTestDto,
  type ExclusionTypesDto,
  MAX_NAMES,
} from './dto/exclusion-answers.dto.js';
import { type ListExclusionsParams, type TestExclusionParams } from './dto/exclusion-management.params.js';
import { ExclusionPresenterService } from '../../data/exclusion/exclusion-presenter.service.js';
import { EXCLUSION_TYPES } from '../../data/exclusion/exclusion-types.functions.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { type Exclusion } from '../../data/exclusion/exclusion.types.js';
import { AlertHistoryService } from '../../analysis/alert-history/alert-history.service.js';
import { ExclusionNotFoundError } from './exclusion-management.errors.js';
import { ExclusionManagementRepository } from './exclusion-management.repository.js';

const WEEK_SECONDS = 7 * DAY;

/** Lists the exclusions of an organisation, and the metrics that one would cover. Changes nothing. */
@Injectable()
export class ExclusionReaderService {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly exclusions: ExclusionManagementRepository,
    private readonly presenter: ExclusionPresenterService,
    private readonly alerts: AlertHistoryService,
    private readonly clock: Clock,
  ) {}

  types(): ExclusionTypesDto {
    return { types: [...EXCLUSION_TYPES] };
  }

  async list(caller: KnownCaller, query: ListExclusionsParams): Promise<ExclusionsDto> {
    const { org } = caller;
    const found = (await this.definitions.list(org.id))
      .filter(({ typeId }) => query.type_id === undefined || typeId === query.type_id)
      .filter((one) => query.active === undefined || this.presenter.isInForce(one, org) === query.active);
    const shown = found.slice(query.offset, query.offset + query.limit);
    return { exclusions: await this.presenter.present(caller, shown), ...pageOf(query, found.length) };
  }

  /** @throws ExclusionNotFoundError also for a deleted exclusion */
  async get(caller: KnownCaller, id: number): Promise<ExclusionDescriptionDto> {
    const exclusion = (await this.definitions.list(caller.org.id)).find((one) => one.id === id);
    if (!exclusion) throw new ExclusionNotFoundError(id);
    return this.describe(caller, exclusion);
  }

  /** The record with the metrics that it currently covers. */
  async describe(caller: KnownCaller, exclusion: Exclusion): Promise<ExclusionDescriptionDto> {
    const [record] = await this.presenter.present(caller, [exclusion]);
    return {
      exclusion: record!,
      metrics: await this.exclusions.metricNames(caller.org.id, exclusion.chips, MAX_NAMES),
      metrics_count: record!.metrics_count,
    };
  }

  async test(orgId: number, { chips }: TestExclusionParams): Promise<ExclusionTestDto> {
    const now = this.clock.now();
    const week = { from: now - WEEK_SECONDS, until: now };
    const [metrics, count, anomalies, alerts] = await Promise.all([
      this.exclusions.metricNames(orgId, chips, MAX_NAMES),
      this.definitions.countMetrics(orgId, chips),
      this.exclusions.countAnomalies(orgId, chips, week.from),
      this.exclusions.coveredMetricIds(orgId, chips).then((ids) => this.alerts.countSentOf(orgId, week, ids)),
    ]);
    return {
      metrics,
      count,
      truncated: count > metrics.length,
      anomalies_last_7_days: anomalies,
      alerts_last_7_days: alerts,
    };
  }
}
