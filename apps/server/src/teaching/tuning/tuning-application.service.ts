import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { parseChips } from '../../data/chips/chips.js';
import { byPrecedence } from './tuning-comparison.js';
import { TuningRepository } from './tuning.repository.js';

const LOOK_EVERY_MS = 2000;
/**
 * Interval after which changed metrics, for example with another type, get the tunings that now select them. New
 * metrics get theirs immediately.
 */
const AGAIN_SECONDS = 30;

/**
 * Applies tunings to metrics: each gets the terms of the tuning that applies to it. Detection reads the terms from the
 * point log, so that they apply to the points after them, also in a replay.
 */
@Injectable()
export class TuningApplicationService extends RecurringWork {
  constructor(
    private readonly tunings: TuningRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: LOOK_EVERY_MS, failure: 'Tunings could not be applied', role: 'detect' });
  }

  async run(): Promise<void> {
    while (!this.isStopping && (await this.transactions.run((tx) => this.applyNext(tx))));
  }

  /** False if no application is due. */
  private async applyNext(tx: Tx): Promise<boolean> {
    const now = this.clock.now();
    const orgId = await this.tunings.claimReady(new Date(now * 1000), tx);
    if (orgId === null) return false;
    const tunings = (await this.tunings.listAll(orgId, tx)).sort(byPrecedence);
    const terms = new Map<number, number>();
    for (const tuning of tunings) {
      const termsId = await this.tunings.termsIdOf(tuning, tx);
      for (const id of await this.tunings.everSelectedIds(orgId, parseChips(tuning.chips), tx)) {
        if (!terms.has(id)) terms.set(id, termsId ?? DEFAULTS);
      }
    }
    for (const [id, termsId] of terms) if (termsId === DEFAULTS) terms.delete(id);
    await this.tunings.setTerms(orgId, terms, tx);
    if (tunings.length === 0) await this.tunings.cancelApplication(orgId, tx);
    else await this.tunings.scheduleApplication(orgId, new Date((now + AGAIN_SECONDS) * 1000), tx);
    return true;
  }
}

/** A tuning without settings also applies: its metrics keep the defaults. */
const DEFAULTS = -1;
