import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { pageOf } from '../../common/paging/paging.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type PatternsDto, type PendingPatternsDto } from './dto/pattern-answers.dto.js';
import {
  type ListAllPatternsParams,
  type ListPatternsParams,
  type ListPendingPatternsParams,
} from './dto/pattern.params.js';
import { PatternPresenterService } from './pattern-presenter.service.js';
import { type PatternFilter, PatternRepository } from './pattern.repository.js';
import { PendingPatternRepository } from './pending-pattern.repository.js';

/** Lists of patterns: of a metric, of the organisation, and of those that are being built. */
@Injectable()
export class PatternListService {
  constructor(
    private readonly rows: PatternRepository,
    private readonly pending: PendingPatternRepository,
    private readonly presenter: PatternPresenterService,
    private readonly metrics: MetricService,
    private readonly clock: Clock,
  ) {}

  async listOfMetric(caller: KnownCaller, ref: MetricRef, params: ListPatternsParams): Promise<PatternsDto> {
    const metric = await this.metrics.resolve(caller.org.id, ref);
    const { enabled, origin, positive } = params;
    return this.page(caller, { metricId: metric.id, enabled, origin, positive }, params);
  }

  async list(caller: KnownCaller, params: ListAllPatternsParams): Promise<PatternsDto> {
    const metric = params.metric && (await this.metrics.resolve(caller.org.id, params.metric, 'metric'));
    const { enabled, origin, positive, shadow, validated, waiting, chips } = params;
    const filter = { metricId: metric?.id, enabled, origin, positive, shadow, validated, waiting, chips };
    return this.page(caller, filter, params);
  }

  async listPending(caller: KnownCaller, params: ListPendingPatternsParams): Promise<PendingPatternsDto> {
    const orgId = caller.org.id;
    const metric = params.metric && (await this.metrics.resolve(orgId, params.metric, 'metric'));
    const { pending, total } = await this.pending.list(orgId, { metricId: metric?.id }, params);
    return { pending_patterns: await this.presenter.presentPending(caller, pending), ...pageOf(params, total) };
  }

  private async page(caller: KnownCaller, filter: PatternFilter, params: ListPatternsParams): Promise<PatternsDto> {
    const { patterns, total } = await this.rows.list(caller.org.id, filter, params, this.clock.now());
    return { patterns: await this.presenter.present(caller, patterns), ...pageOf(params, total) };
  }
}
