import { Injectable, Logger } from '@nestjs/common';
import { type WatcherRule } from '#libs/alerting';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { dateOf, MINUTE, secondsOf } from '../../common/time.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { type ChipMatcher, compileChips, FoldedTarget, type MatchTarget } from '../../data/chips/chips-match.js';
import { parseChip } from '../../data/chips/chips.js';
import { OrgService } from '../../people/org/org.service.js';
import { UserService } from '../../people/user/user.service.js';
import { nextSummary, parseFrequency } from './summary-time.js';
import { destinationsOf, usersNamed } from './watcher-destinations.js';
import { type WatcherEntity } from './watcher.entity.js';
import { WatcherRepository } from './watcher.repository.js';
import { type BudgetState, type ScheduledSummary, type Watcher, type WatcherSettings } from './watcher.types.js';

/** A change by another process is noticed within this time. */
const FRESH_MS = 2000;
/** Purpose of the sealed addresses of Teams channels. */
const WEBHOOK_PURPOSE = 'watcher-teams-webhook';
/** Maximum number of cached organisations. */
const MAX_REMEMBERED = 10_000;

interface Known {
  at: number;
  watchers: Promise<readonly CompiledWatcher[]>;
  rules?: Promise<readonly WatcherRule[]>;
}

interface CompiledWatcher {
  watcher: Watcher;
  covers: ChipMatcher;
}

/** Columns derived from the settings. */
export type SettingsColumns = Omit<
  WatcherEntity,
  | 'id'
  | 'orgId'
  | 'type'
  | 'severityInEffect'
  | 'budgetAchieved'
  | 'builtIn'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
>;

/** The watchers of organisations for the code that acts on them: what they alert on, and their destinations. */
@Injectable()
export class WatcherDirectoryService {
  private readonly logger = new Logger(WatcherDirectoryService.name);
  private readonly known = new Map<number, Known>();
  /** Watchers that were already reported as unreadable. */
  private readonly unreadable = new Set<number>();

  constructor(
    private readonly watchers: WatcherRepository,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly secrets: Secrets,
  ) {}

  /** Live watchers that alert, oldest first; at most a few seconds old. */
  alertingOf(orgId: number): Promise<readonly WatcherRule[]> {
    const known = this.knownOf(orgId);
    known.rules ??= known.watchers.then((all) =>
      this.rulesOf(
        orgId,
        all.map(({ watcher }) => watcher).filter(({ alert }) => alert),
      ),
    );
    return known.rules;
  }

  /** Live watchers, oldest first; at most a few seconds old. */
  async listLive(orgId: number): Promise<Watcher[]> {
    return (await this.knownOf(orgId).watchers).map(({ watcher }) => watcher);
  }

  /** The unchanged watchers that an organisation started with; oldest first. */
  async listUnchanged(orgId: number): Promise<Watcher[]> {
    return this.complete(orgId, await this.watchers.listUnchanged(orgId));
  }

  /** Live watchers whose chips select a metric, by the id of the metric; at most a few seconds old. */
  async covering(
    orgId: number,
    metrics: readonly (MatchTarget & { id: number })[],
  ): Promise<ReadonlyMap<number, Watcher[]>> {
    const all = await this.knownOf(orgId).watchers;
    return new Map(
      metrics.map((metric) => {
        const target = new FoldedTarget(metric);
        return [metric.id, all.filter(({ covers }) => covers(target)).map(({ watcher }) => watcher)];
      }),
    );
  }

  /** Also returns a deleted one. */
  async find(orgId: number, id: number, tx?: Tx): Promise<Watcher | null> {
    const row = await this.watchers.find(orgId, id, tx);
    return row === null ? null : (await this.complete(orgId, [row], tx))[0]!;
  }

  /** Destinations of the cards of watchers, including deleted ones: open alerts are still closed there. */
  async teamsAddresses(orgId: number): Promise<string[]> {
    const sealed = await this.watchers.listTeamsWebhooks(orgId);
    return sealed.flatMap((one) => this.secrets.tryOpen(WEBHOOK_PURPOSE, boundTo(orgId), one) ?? []);
  }

  /** Watchers as rules, for example one that is not stored yet; with the defaults of the organisation. */
  async rulesOf(orgId: number, watchers: readonly Watcher[]): Promise<WatcherRule[]> {
    const [org, lists] = await Promise.all([this.orgs.find(orgId), this.orgs.listRecipients(orgId)]);
    if (org === null) return [];
    const named = await this.users.findByIds(orgId, usersNamed(watchers, lists));
    const users = new Map(named.map((user) => [user.id, user]));
    return watchers.map((watcher) => ({
      id: watcher.id,
      orgId,
      name: watcher.name,
      chips: watcher.chips,
      anomalies:
        watcher.type === 'threshold'
          ? null
          : {
              minSeverity: watcher.minSeverity,
              minDurationSeconds: watcher.minDurationSeconds,
              direction: watcher.direction,
              kinds: watcher.kinds,
            },
      threshold: watcher.threshold,
      expirationSeconds: watcher.expirationSeconds,
      budgetPerWeek: watcher.alertBudgetPerWeek,
      severityInEffect: watcher.alertBudgetPerWeek === null ? 0 : watcher.severityInEffect,
      destinations: destinationsOf(watcher, { org, lists, users }),
    }));
  }

  /**
   * A watcher, of any organisation, whose report is due; sets the time of the next one. Locked until `tx` ends, so that
   * each report is sent once.
   * @param now Unix seconds
   * @param exceptIds watchers that are skipped
   */
  async takeNextSummary(now: number, exceptIds: readonly number[], tx: Tx): Promise<ScheduledSummary | null> {
    const row = await this.watchers.claimNextSummary(dateOf(now), exceptIds, tx);
    if (row === null) return null;
    const { id, orgId, nextSummaryAt, summaryReportFrequency } = row;
    const { timezone } = await this.orgs.getById(orgId, tx);
    await this.watchers.update(orgId, id, summaryColumns(summaryReportFrequency, now, timezone), tx);
    return { orgId, watcher: (await this.complete(orgId, [row], tx))[0]!, scheduledAt: secondsOf(nextSummaryAt!) };
  }

  /** Recalculates the report times of organisations that have moved to another time zone. */
  @Housekeeping({ everyMs: 1000 * MINUTE, failure: 'Times of reports could not be recalculated', role: 'detect' })
  async moveSummaries(now: number): Promise<void> {
    for (const { orgId, id, summaryReportFrequency, timezone } of await this.watchers.listMoved()) {
      await this.watchers.update(orgId, id, summaryColumns(summaryReportFrequency, now, timezone));
    }
  }

  /** Stores the result of the daily adjustment of budgets. */
  async setBudget(orgId: number, id: number, { severityInEffect, achieved4Weeks }: BudgetState, tx: Tx): Promise<void> {
    await this.watchers.update(orgId, id, { severityInEffect, budgetAchieved: achieved4Weeks }, tx);
  }

  /** Columns of the settings; the recipients have a separate table. `now` in Unix seconds. */
  columnsOf(orgId: number, settings: WatcherSettings, now: number, timezone: string): SettingsColumns {
    const { teamsChatWebhook: address } = settings;
    return {
      name: settings.name,
      chips: [...settings.chips],
      alert: settings.alert,
      minSeverity: settings.minSeverity,
      minDurationSeconds: settings.minDurationSeconds,
      direction: settings.direction,
      kinds: [...settings.kinds],
      chatChannel: settings.chatChannel,
      teamsChatWebhookSealed: address === null ? null : this.secrets.seal(WEBHOOK_PURPOSE, boundTo(orgId), address),
      pagerduty: settings.pagerduty,
      alertmanager: settings.alertmanager,
      webhook: settings.webhook,
      expirationTime: settings.expirationTime,
      expirationTimeUnit: settings.expirationTimeUnit,
      expirationSeconds: settings.expirationSeconds,
      summaryReportFrequency: settings.summaryReportFrequency,
      ...summaryColumns(settings.summaryReportFrequency, now, timezone),
      threshold: settings.threshold,
      alertBudgetPerWeek: settings.alertBudgetPerWeek,
    };
  }

  /** This process sees a change as soon as its transaction is committed. */
  noteChange(orgId: number, tx: Tx): void {
    afterCommit(tx, () => {
      this.forget(orgId);
    });
  }

  /** The watchers of the organisation are read again. */
  forget(orgId: number): void {
    this.known.delete(orgId);
  }

  /** Rows as watchers, with their recipients. */
  async complete(orgId: number, rows: readonly WatcherEntity[], tx?: Tx): Promise<Watcher[]> {
    const recipients = await this.watchers.listRecipients(
      orgId,
      rows.map(({ id }) => id),
      tx,
    );
    return rows.map((row) => this.toWatcher(row, recipients.get(row.id)!));
  }

  private knownOf(orgId: number): Known {
    const now = performance.now();
    const known = this.known.get(orgId);
    if (known !== undefined && now - known.at < FRESH_MS) return known;
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    const fresh: Known = { at: now, watchers: this.load(orgId) };
    this.known.set(orgId, fresh);
    // A failed query is repeated at the next call.
    fresh.watchers.catch(() => this.known.get(orgId) === fresh && this.known.delete(orgId));
    return fresh;
  }

  private async load(orgId: number): Promise<CompiledWatcher[]> {
    const watchers = await this.complete(orgId, await this.watchers.listLive(orgId));
    return watchers.flatMap((watcher) => {
      const covers = this.compile(watcher);
      return covers === undefined ? [] : { watcher, covers };
    });
  }

  /** Undefined: it cannot be parsed, which must not silence the other watchers of the organisation. */
  private compile({ id, chips }: Watcher): ChipMatcher | undefined {
    try {
      return compileChips(chips.map(parseChip));
    } catch (error) {
      if (!this.unreadable.has(id)) {
        this.logger.error(`The watcher ${String(id)} is left out: ${messageOf(error)}`);
      }
      this.unreadable.add(id);
      return undefined;
    }
  }

  private toWatcher(row: WatcherEntity, recipients: Watcher['recipients']): Watcher {
    const { teamsChatWebhookSealed: sealed, orgId } = row;
    return {
      id: row.id,
      orgId,
      type: row.type,
      name: row.name,
      chips: row.chips,
      alert: row.alert,
      minSeverity: row.minSeverity,
      minDurationSeconds: row.minDurationSeconds,
      direction: row.direction,
      kinds: row.kinds,
      chatChannel: row.chatChannel,
      teamsChatWebhook: sealed === null ? null : this.secrets.tryOpen(WEBHOOK_PURPOSE, boundTo(orgId), sealed),
      pagerduty: row.pagerduty,
      alertmanager: row.alertmanager,
      webhook: row.webhook,
      expirationTime: row.expirationTime,
      expirationTimeUnit: row.expirationTimeUnit,
      expirationSeconds: row.expirationSeconds,
      summaryReportFrequency: row.summaryReportFrequency,
      alertBudgetPerWeek: row.alertBudgetPerWeek,
      threshold: row.threshold,
      recipients,
      nextSummaryTimestamp: row.nextSummaryAt && secondsOf(row.nextSummaryAt),
      severityInEffect: row.severityInEffect,
      budgetAchieved: row.budgetAchieved,
      createdBy: row.createdBy,
      createdTimestamp: secondsOf(row.createdAt),
      updatedTimestamp: secondsOf(row.updatedAt),
      deletedTimestamp: row.deletedAt && secondsOf(row.deletedAt),
    };
  }
}

/** The context that the sealed address of a Teams channel is bound to. */
function boundTo(orgId: number): string {
  return `org/${String(orgId)}`;
}

/** Columns of a report: its next time, and the zone in which that was computed. `now` in Unix seconds. */
function summaryColumns(
  frequency: string | null,
  now: number,
  timezone: string,
): Pick<WatcherEntity, 'nextSummaryAt' | 'summaryTimezone'> {
  const rhythm = frequency === null ? undefined : parseFrequency(frequency);
  if (rhythm === undefined) return { nextSummaryAt: null, summaryTimezone: null };
  return { nextSummaryAt: dateOf(nextSummary(rhythm, now, timezone)), summaryTimezone: timezone };
}
