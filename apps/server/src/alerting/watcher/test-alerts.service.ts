import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type AlertContent, composeTest } from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { currentRequest } from '../../common/http/request-context.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { type TestResultDto } from './dto/watcher.dto.js';
import { type Watcher } from './watcher.types.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

/** Maximum time that an answer waits for the outcomes of its messages. */
const TIMEOUT_SECONDS = 15;

/** Sends a test alert end to end: through the outbox and every channel of a watcher. */
@Injectable()
export class TestAlertsService {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly outbox: AlertOutboxService,
    private readonly transactions: Transactions,
    private readonly links: AlertLinksService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** Answers when each message is sent or has failed, but at the latest after some seconds. */
  async send(caller: KnownCaller, watcher: Watcher): Promise<TestResultDto[]> {
    const orgId = caller.org.id;
    const [rule] = await this.watchers.rulesOf(orgId, [watcher]);
    if (rule === undefined || rule.destinations.length === 0) return [];
    const org = await this.orgs.getById(orgId);
    const alertId = await this.transactions.run((tx) =>
      this.outbox.enqueue(
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
    // The wait holds no turn of the database that other requests of the organisation need.
    await currentRequest.exit(() => this.outbox.awaitOutcomes(orgId, alertId, TIMEOUT_SECONDS));
    const deliveries = await this.outbox.deliveriesOf(caller, { alertId }, rule.destinations.length);
    return deliveries.reverse().map(({ channel, recipient, state, message }) => {
      const ok = state === 'sent';
      return { channel, recipient, ok, message: ok ? 'OK' : message === '' ? 'It has not been sent yet.' : message };
    });
  }

  private contentOf({ id: orgId, name, timezone }: Org, watcher: Watcher): AlertContent {
    return composeTest({
      id: String(watcher.id),
      org: { id: orgId, name },
      watcher: { id: watcher.id, name: watcher.name },
      timezone,
      now: Math.floor(this.clock.now()),
      requestedBy: null,
      example: null,
      links: this.links.ofWatcher(orgId, watcher.id, null),
      event: { type: 'test', data: {} },
    });
  }
}
