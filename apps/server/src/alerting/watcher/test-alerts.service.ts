import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type AlertContent } from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { currentRequest } from '../../common/http/request-context.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { viewerOf } from '../../people/user/user.types.js';
import { AlertOutbox } from '../alert/alert-outbox.service.js';
import { type TestResultDto } from './dto/watcher.dto.js';
import { type TestOutcome, WatcherAlertsRepository } from './watcher-alerts.repository.js';
import { type Watcher } from './watcher.types.js';
import { Watchers } from './watchers.service.js';

/** How long an answer waits for what becomes of its messages. */
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Sends a test alert the whole way: through the outbox and every channel of a watcher. */
@Injectable()
export class TestAlerts {
  constructor(
    private readonly watchers: Watchers,
    private readonly outbox: AlertOutbox,
    private readonly alerts: WatcherAlertsRepository,
    private readonly transactions: Transactions,
    private readonly links: Links,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** Answers once each message is sent or has failed, at the latest after some seconds. */
  async send(caller: KnownCaller, watcher: Watcher): Promise<TestResultDto[]> {
    const orgId = caller.org.id;
    const [rule] = await this.watchers.rulesOf(orgId, [watcher]);
    if (rule === undefined || rule.destinations.length === 0) return [];
    const org = await this.orgs.getById(orgId);
    const alertId = await this.transactions.run((tx) =>
      this.outbox.tell(
        {
          orgId,
          key: `test/watcher/${String(watcher.id)}/${randomUUID()}`,
          kind: 'test',
          phase: 'opened',
          content: this.contentOf(org, watcher),
          destinations: rule.destinations,
          watcherId: watcher.id,
          watcherName: watcher.name,
          anomalyId: null,
          incidentId: null,
          metricId: null,
        },
        tx,
      ),
    );
    // The wait takes no turn of the database from the requests of the organisation.
    const outcomes = await currentRequest.exit(() => this.waitFor(orgId, alertId));
    const mayRead = viewerOf(caller).admin;
    const own = caller.kind === 'user' ? caller.userId : null;
    return outcomes.map((outcome) => toResult(outcome, mayRead || (outcome.userId !== null && outcome.userId === own)));
  }

  private async waitFor(orgId: number, alertId: number): Promise<TestOutcome[]> {
    for (let waited = 0; ; waited += LOOK_EVERY_MS) {
      const outcomes = await this.alerts.outcomes(orgId, alertId);
      if (waited >= WAIT_MS || outcomes.every(isSettled)) return outcomes;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  private contentOf(org: Org, { id, name, chips }: Watcher): AlertContent {
    const now = Math.floor(this.clock.now());
    return {
      kind: 'test',
      phase: 'opened',
      isTest: true,
      title: `Test alert of the watcher "${name}"`,
      summary: 'This is a test: nothing is wrong. Alerts of this watcher will arrive the same way.',
      severity: null,
      severityLabel: null,
      start: now,
      end: null,
      timezone: org.timezone,
      items: [],
      metricsCount: 0,
      origin: null,
      facts: [
        ['Watcher', name],
        ['Chips', chips.join(', ')],
      ],
      links: { console: this.links.console(`/watchers/${String(id)}`), act: null, graph: null, image: null },
      org: { id: org.id, name: org.name },
      watcher: { id, name },
      subject: { type: 'test', id: String(id) },
      event: { type: 'test', data: {} },
    };
  }
}

/** A first try that failed says what is wrong; later ones are not waited for. */
function isSettled({ state, tries }: TestOutcome): boolean {
  return state !== 'queued' && (state !== 'retrying' || tries > 0);
}

function toResult({ channel, recipient, state, message }: TestOutcome, mayRead: boolean): TestResultDto {
  const isContact = channel === 'email' || channel === 'sms' || channel === 'teams_chat';
  const ok = state === 'sent';
  return {
    channel,
    recipient: isContact && !mayRead ? '' : recipient,
    ok,
    message: ok ? 'OK' : message !== '' ? message : 'It has not been sent yet.',
  };
}
