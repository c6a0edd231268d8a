import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { compileChips, FoldedTarget, type MatchTarget } from '../../data/chips/chips-match.js';
import { parseChips } from '../../data/chips/chips.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { type TermsSource } from '../../data/metric/metric-registry.types.js';
import { byPrecedence } from './tuning-comparison.js';
import { TuningRepository } from './tuning.repository.js';

/**
 * Number of metrics that are processed without a pause: one request may create many, and other work runs in between.
 */
const IN_A_ROW = 500;

/**
 * Lets the registry of a process that creates metrics assign each of them the terms of the tuning that applies to it,
 * so that a tuning applies from the first point on.
 */
@Injectable()
export class NewMetricTermsService implements OnModuleInit, TermsSource {
  constructor(
    private readonly registry: MetricRegistryService,
    private readonly tunings: TuningRepository,
  ) {}

  onModuleInit(): void {
    this.registry.useTerms(this);
  }

  async termsOf(orgId: number, metrics: readonly MatchTarget[], tx: Tx): Promise<(number | null)[]> {
    const tunings = (await this.tunings.listAll(orgId, tx)).sort(byPrecedence);
    const compiled = tunings.map((tuning) => ({ tuning, selects: compileChips(parseChips(tuning.chips)) }));
    const ids = new Map<number, number | null>();
    const found: (number | null)[] = [];
    for (const [index, metric] of metrics.entries()) {
      if (index % IN_A_ROW === IN_A_ROW - 1) await setImmediate();
      const target = new FoldedTarget(metric);
      const tuning = compiled.find(({ selects }) => selects(target))?.tuning;
      // Only for tunings that select one of these metrics; most tunings do not.
      if (tuning && !ids.has(tuning.id)) ids.set(tuning.id, await this.tunings.termsIdOf(tuning, tx));
      found.push(tuning ? ids.get(tuning.id)! : null);
    }
    return found;
  }
}
