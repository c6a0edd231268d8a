import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { resolveWindow } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { BundlePartsService } from './bundle-parts.service.js';
import { type MetricBundleDto } from './dto/metric-bundle.dto.js';
import { type MetricBundleParams } from './dto/metric-bundle.params.js';

/** Combines several answers about one metric into one. */
@Injectable()
export class MetricBundleService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly parts: BundlePartsService,
    private readonly clock: Clock,
  ) {}

  async find(caller: KnownCaller, ref: MetricRef, query: MetricBundleParams): Promise<MetricBundleDto> {
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(caller.org.id);
    const window = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const { metric, watchers } = await this.metrics.find(caller, ref);
    const request = { caller, ref: { id: metric.id }, window, maxPoints: query.max_points };
    const bundle: MetricBundleDto = { metric, ...window };
    for (const name of new Set(query.include)) {
      bundle[name] = name === 'watchers' ? watchers : await this.parts.find(name, request);
    }
    return bundle;
  }
}
