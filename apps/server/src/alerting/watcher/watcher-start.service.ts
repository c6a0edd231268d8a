import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { UserService } from '../../people/user/user.service.js';
import { NO_SETTINGS, NO_THRESHOLD } from './watcher-settings.js';
import { type StartingOrg, WatcherStartRepository } from './watcher-start.repository.js';
import { WatcherWriterService } from './watcher-writer.service.js';
import { type WatcherSettings } from './watcher.types.js';

const EVERY_MS = 2000;
/** Anomalies of at least this severity are major. */
const MAJOR_SEVERITY = 50;
const MESSAGES_A_WEEK = 5;

/** All major anomalies, by mail to the administrators, at most five times a week. */
const ALL_MAJOR: WatcherSettings = {
  ...NO_SETTINGS,
  name: 'Everything major and critical',
  chips: ['*'],
  alert: true,
  minSeverity: MAJOR_SEVERITY,
  alertBudgetPerWeek: MESSAGES_A_WEEK,
};

/**
 * The watchers that visitors of a demo see; without recipients: their messages go to the demo mailbox. Each selects
 * some metrics in every demo.
 */
const OF_DEMO: readonly WatcherSettings[] = [
  ALL_MAJOR,
  {
    ...NO_SETTINGS,
    name: 'Takes too long',
    chips: ['seconds'],
    alert: true,
    minSeverity: MAJOR_SEVERITY,
    minDurationSeconds: 300,
    direction: 'up',
  },
  {
    ...NO_SETTINGS,
    name: 'Silent for half an hour',
    chips: ['*'],
    alert: true,
    expirationTime: 1,
    expirationTimeUnit: 'day',
    expirationSeconds: DAY,
    threshold: { ...NO_THRESHOLD, algorithm: 'no_data', value: 1800 },
  },
];

/** Gives each new organisation its initial watchers, once it has an administrator (a demo has none). */
@Injectable()
export class WatcherStartService extends RecurringWork {
  constructor(
    private readonly starts: WatcherStartRepository,
    private readonly writer: WatcherWriterService,
    private readonly users: UserService,
    private readonly transactions: Transactions,
  ) {
    super({ everyMs: EVERY_MS, firstAfterMs: 0, failure: 'New organisations have no watchers yet', role: 'detect' });
  }

  async run(): Promise<void> {
    for (;;) {
      const isStarted = await this.transactions.run((tx) => this.startNext(tx));
      if (!isStarted || this.isStopping) return;
    }
  }

  /** False if there is nothing to do. */
  private async startNext(tx: Tx): Promise<boolean> {
    const org = await this.starts.claim(tx);
    if (org === null) return false;
    await this.starts.note(org.id, tx);
    for (const settings of await this.settingsFor(org, tx)) {
      if (!org.names.includes(settings.name.toLowerCase())) await this.writer.insertBuiltIn(org.id, settings, tx);
    }
    return true;
  }

  private async settingsFor({ id, isDemo }: StartingOrg, tx: Tx): Promise<readonly WatcherSettings[]> {
    if (isDemo) return OF_DEMO;
    const email = await this.users.activeAdministrators(id, tx);
    return [{ ...ALL_MAJOR, recipients: { ...ALL_MAJOR.recipients, email } }];
  }
}
