import { Injectable } from '@nestjs/common';
import { type WatcherRule } from '#libs/alerting';
import { Transactions } from '../../common/database/transactions.js';
import { DAY } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { demoMailboxOf } from '../watcher/demo-mailbox.functions.js';
import { type Watcher } from '../watcher/watcher.types.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { type PastEvent } from './past-anomalies.repository.js';
import { PastBreachesService } from './past-breaches.service.js';
import { PastStepsService } from './past-steps.service.js';
import { WatcherPastService } from './watcher-past.service.js';

/** Maximum length of the past that a preview may replay. */
const LONGEST_SECONDS = 30 * DAY;
const NOTE = 'Replayed from the history of the demo when this watcher was created: nothing was sent.';

/** The replayed part of the past. */
export interface ReplayedSpan {
  /** Unix seconds. */
  from: number;
  /** An incident that began at most this many seconds before the watcher was created is alerted live. */
  liveSeconds: number;
}

/**
 * Records the messages that the watchers of a demo would have sent before they were created, by the same rules as live:
 * the history of a demo is filled in without alerts. Nothing is sent; every record goes to the demo mailbox and is
 * marked as a replay.
 */
@Injectable()
export class PastAlertsService {
  constructor(
    private readonly orgs: OrgService,
    private readonly watchers: WatcherDirectoryService,
    private readonly past: WatcherPastService,
    private readonly breaches: PastBreachesService,
    private readonly steps: PastStepsService,
    private readonly outbox: AlertOutboxService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * For the watchers of a new demo, once each: it skips watchers that people have changed, and those already done.
   * @returns how many watchers remain
   */
  async record(orgId: number, span: ReplayedSpan): Promise<number> {
    const org = await this.orgs.find(orgId);
    if (org?.isDemo !== true) return 0;
    const watchers = (await this.watchers.listUnchanged(orgId)).filter(({ alert }) => alert);
    for (const watcher of watchers) {
      if (!(await this.outbox.hasPast(orgId, watcher.id))) await this.recordOf(org, watcher, span);
    }
    return watchers.length;
  }

  private async recordOf(org: Org, watcher: Watcher, { from, liveSeconds }: ReplayedSpan): Promise<void> {
    const { createdTimestamp: until } = watcher;
    const window = { from: Math.max(from, until - LONGEST_SECONDS), until: until - liveSeconds };
    const [stored] = window.from < window.until ? await this.watchers.rulesOf(org.id, [watcher]) : [];
    if (stored === undefined) return;
    const rule = { ...stored, severityInEffect: 0, destinations: [demoMailboxOf(watcher)] };
    const found = await this.found(org, rule, window);
    const acts = await this.past.acts(org, rule, found, { from: window.from, until });
    await this.transactions.run(async (tx) => {
      const steps = await this.steps.of({ org, rule, found }, acts, tx);
      await this.outbox.recordPast(org.id, steps, NOTE, tx);
    });
  }

  private async found(org: Org, rule: WatcherRule, window: { from: number; until: number }): Promise<PastEvent[]> {
    if (rule.threshold !== null) return (await this.breaches.find(org, rule, window)).breaches;
    return this.past.anomalies(org, rule, window.from, window.until);
  }
}
