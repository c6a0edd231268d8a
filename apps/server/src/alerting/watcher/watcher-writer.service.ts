import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ErrorDetail } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { DAY, dateOf } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { changesOf, WatcherActsService } from './watcher-acts.service.js';
import { WatcherChecksService } from './watcher-checks.service.js';
import { type AllFields, mergeSettings, NO_SETTINGS } from './watcher-settings.js';
import {
  NotAThresholdWatcherError,
  RestoreExpiredError,
  WatcherDeletedError,
  WatcherLimitReachedError,
  WatcherNameTakenError,
  WatcherNotFoundError,
} from './watcher.errors.js';
import { WatcherRepository } from './watcher.repository.js';
import { DELETED_KEPT_DAYS, type Watcher, type WatcherSettings, type WatcherType } from './watcher.types.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

const MAX_PER_ORG = 500;

/** The requested change of a watcher. Validates the fields alone, and throws if they have problems. */
export interface WantedFields {
  /** The valid ones. */
  fields: AllFields;
  /** Continues or throws, depending on further problems. */
  requireSound: (problems: readonly ErrorDetail[]) => unknown;
}

/** Changes watchers inside the transaction of the caller, with their entries in the audit trail and, once it is committed, events. */
@Injectable()
export class WatcherWriterService {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly rows: WatcherRepository,
    private readonly checks: WatcherChecksService,
    private readonly acts: WatcherActsService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailedError, WatcherNameTakenError, WatcherLimitReachedError */
  async create(caller: KnownCaller, type: WatcherType, wanted: WantedFields, tx: Tx): Promise<Watcher> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const settings = await this.judge(orgId, type, NO_SETTINGS, wanted, tx);
    await this.requireRoom(orgId, tx);
    await this.requireFreeName(orgId, settings.name, null, tx);
    const watcher = await this.insert(orgId, type, settings, caller.kind === 'user' ? caller.userId : null, tx);
    await this.acts.record(caller, 'create', watcher, changesOf(null, watcher), tx);
    return watcher;
  }

  /**
   * The problems of the chat channel in the fields; called before a transaction begins.
   * @param id of the watcher to change; null: a new one
   */
  async channelProblems(orgId: number, id: number | null, fields: AllFields): Promise<ErrorDetail[]> {
    const before = id === null ? null : await this.watchers.find(orgId, id);
    return this.checks.channelProblems(orgId, before, fields);
  }

  /** A watcher created by the service; neither validated nor in the audit trail. */
  async insertBuiltIn(orgId: number, settings: WatcherSettings, tx: Tx): Promise<Watcher> {
    return this.insert(orgId, settings.threshold === null ? 'anomaly' : 'threshold', settings, null, tx, true);
  }

  /**
   * Changes only the sent fields.
   * @param type the kind of call; fields of thresholds are for watchers of thresholds
   * @throws WatcherNotFoundError, WatcherDeletedError, NotAThresholdWatcherError, WatcherNameTakenError, ValidationFailedError
   */
  async update(caller: KnownCaller, id: number, type: WatcherType, wanted: WantedFields, tx: Tx): Promise<Watcher> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const before = await this.getWatcher(orgId, id, tx);
    if (type === 'threshold' && before.type !== 'threshold') throw new NotAThresholdWatcherError(id);
    const settings = await this.judge(orgId, before.type, before, wanted, tx);
    if (before.deletedTimestamp !== null) throw new WatcherDeletedError(id);
    await this.requireFreeName(orgId, settings.name, id, tx);
    const changes = changesOf(before, settings);
    if (changes.length === 0) return before;
    const now = this.clock.now();
    const columns = this.watchers.columnsOf(orgId, settings, now, await this.timezoneOf(orgId, tx));
    const isNewBudget = settings.alertBudgetPerWeek !== before.alertBudgetPerWeek;
    await this.rows.update(
      orgId,
      id,
      {
        ...columns,
        // A due report keeps its time.
        ...(settings.summaryReportFrequency === before.summaryReportFrequency && {
          nextSummaryAt: before.nextSummaryTimestamp === null ? null : dateOf(before.nextSummaryTimestamp),
        }),
        ...(isNewBudget && { severityInEffect: 0, budgetAchieved: null }),
        updatedAt: dateOf(now),
      },
      tx,
    );
    if (!isDeepStrictEqual(before.recipients, settings.recipients)) {
      await this.rows.setRecipients(orgId, id, settings.recipients, tx);
    }
    const watcher = await this.getWatcher(orgId, id, tx);
    await this.acts.record(caller, 'update', watcher, changes, tx);
    this.watchers.noteChange(orgId, tx);
    return watcher;
  }

  /** It can be restored for 30 days. Deleting it again changes nothing. @throws WatcherNotFoundError */
  async delete(caller: KnownCaller, id: number, tx: Tx): Promise<Watcher> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const before = await this.getWatcher(orgId, id, tx);
    if (before.deletedTimestamp !== null) return before;
    await this.rows.update(orgId, id, { deletedAt: dateOf(this.clock.now()) }, tx);
    await this.acts.record(caller, 'delete', before, changesOf(before, null), tx);
    this.watchers.noteChange(orgId, tx);
    return this.getWatcher(orgId, id, tx);
  }

  /** @throws WatcherNotFoundError, RestoreExpiredError, WatcherNameTakenError, WatcherLimitReachedError */
  async restore(caller: KnownCaller, id: number, tx: Tx): Promise<Watcher> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const before = await this.watchers.find(orgId, id, tx);
    if (before === null) throw new WatcherNotFoundError(id);
    if (before.deletedTimestamp === null) return before;
    if (this.isForgotten(before)) throw new RestoreExpiredError(id, DELETED_KEPT_DAYS);
    await this.requireRoom(orgId, tx);
    await this.requireFreeName(orgId, before.name, id, tx);
    const now = this.clock.now();
    const columns = this.watchers.columnsOf(orgId, before, now, await this.timezoneOf(orgId, tx));
    await this.rows.update(orgId, id, { ...columns, deletedAt: null, updatedAt: dateOf(now) }, tx);
    const watcher = await this.getWatcher(orgId, id, tx);
    await this.acts.record(caller, 'restore', watcher, changesOf(null, watcher), tx);
    this.watchers.noteChange(orgId, tx);
    return watcher;
  }

  /** Also returns a deleted one, for 30 days. @throws WatcherNotFoundError */
  async getWatcher(orgId: number, id: number, tx?: Tx): Promise<Watcher> {
    const watcher = await this.watchers.find(orgId, id, tx);
    if (watcher === null || this.isForgotten(watcher)) throw new WatcherNotFoundError(id);
    return watcher;
  }

  /** Deleted so long ago that it counts as nonexistent. */
  isForgotten({ deletedTimestamp }: Watcher): boolean {
    return deletedTimestamp !== null && this.clock.now() - deletedTimestamp > DELETED_KEPT_DAYS * DAY;
  }

  private async insert(
    orgId: number,
    type: WatcherType,
    settings: WatcherSettings,
    createdBy: number | null,
    tx: Tx,
    builtIn = false,
  ): Promise<Watcher> {
    const now = this.clock.now();
    const createdAt = dateOf(now);
    const row = await this.rows.insert(
      {
        ...this.watchers.columnsOf(orgId, settings, now, await this.timezoneOf(orgId, tx)),
        orgId,
        type,
        severityInEffect: 0,
        budgetAchieved: null,
        builtIn,
        createdBy,
        createdAt,
        updatedAt: createdAt,
        deletedAt: null,
      },
      tx,
    );
    await this.rows.setRecipients(orgId, row.id, settings.recipients, tx);
    this.watchers.noteChange(orgId, tx);
    return this.getWatcher(orgId, row.id, tx);
  }

  private async judge(
    orgId: number,
    type: WatcherType,
    before: WatcherSettings,
    { fields, requireSound }: WantedFields,
    tx: Tx,
  ): Promise<WatcherSettings> {
    const { settings, problems } = mergeSettings(type, before, fields);
    requireSound([...problems, ...(await this.checks.problems(orgId, before, fields, tx))]);
    return settings;
  }

  private async requireRoom(orgId: number, tx: Tx): Promise<void> {
    if ((await this.rows.countLive(orgId, tx)) >= MAX_PER_ORG) throw new WatcherLimitReachedError(MAX_PER_ORG);
  }

  private async requireFreeName(orgId: number, name: string, id: number | null, tx: Tx): Promise<void> {
    if (await this.rows.isNameTaken(orgId, name, id, tx)) throw new WatcherNameTakenError(name);
  }

  private async timezoneOf(orgId: number, tx: Tx): Promise<string> {
    return (await this.orgs.getById(orgId, tx)).timezone;
  }
}
