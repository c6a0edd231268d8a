import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ANOMALY_KINDS, type ErrorDetail } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { parseChips } from '../../data/chips/chips.js';
import { UserRefsService } from '../../people/user/user-refs.service.js';
import { type UserRef } from '../../people/user/user.types.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import {
  type ConfigFields,
  type ConfigKind,
  type ConfigObject,
  type ConfigSecret,
} from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { thresholdDto } from './dto/watcher.dto.js';
import {
  AnomalyWatcherDocumentParams,
  ThresholdWatcherDocumentParams,
  type WatcherDocumentParams,
} from './dto/watcher-document.params.js';
import { WatcherActsService } from './watcher-acts.service.js';
import { type AllFields, mergeSettings, NO_SETTINGS } from './watcher-settings.js';
import { type WantedFields, WatcherWriterService } from './watcher-writer.service.js';
import { WatcherTypeFixedError } from './watcher.errors.js';
import { WatcherRepository } from './watcher.repository.js';
import { type WatcherSettings, type WatcherType } from './watcher.types.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

/** Watchers as documents, identified by name. */
@DescribesConfig({
  kind: 'watcher',
  says: 'Defines who is alerted about the metrics that chips select: about anomalies, or with `type: threshold` about a limit.',
  params: {
    member: 'type',
    standard: 'anomaly',
    classes: new Map<WatcherType, new () => WatcherDocumentParams>([
      ['anomaly', AnomalyWatcherDocumentParams],
      ['threshold', ThresholdWatcherDocumentParams],
    ]),
  },
  isFixed: false,
  isBasis: false,
})
@Injectable()
export class WatcherConfigKindService implements ConfigKind<WatcherDocumentParams>, OnModuleInit {
  constructor(
    private readonly rows: WatcherRepository,
    private readonly watchers: WatcherDirectoryService,
    private readonly writer: WatcherWriterService,
    private readonly acts: WatcherActsService,
    private readonly users: UserRefsService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    const { id: orgId } = caller.org;
    const all = await this.watchers.complete(orgId, await this.rows.listLive(orgId, tx), tx);
    const namesOf = await this.users.namesOf(orgId, all.flatMap(recipientsOf), tx);
    return all
      .map((watcher) => ({ id: watcher.id, name: watcher.name, fields: fieldsOf(watcher.type, watcher, namesOf) }))
      .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id);
  }

  keyOf({ name }: ConfigFields): string {
    return String(name);
  }

  likenessOf({ name }: ConfigFields): string {
    return String(name).toLowerCase();
  }

  async fieldsOf(caller: KnownCaller, params: WatcherDocumentParams, tx: Tx): Promise<ConfigFields> {
    const settings = await this.settingsOf(caller, params, tx);
    return fieldsOf(params.type, settings, await this.users.namesOf(caller.org.id, recipientsOf(settings), tx));
  }

  secretsOf({ name, chips }: ConfigFields): ReadonlyMap<string, ConfigSecret> {
    const variable = variableOf(typeof name === 'string' ? name : JSON.stringify(chips ?? null));
    return new Map([['teams_chat_webhook', { variable, isGenerated: false }]]);
  }

  async create(caller: KnownCaller, params: WatcherDocumentParams, tx: Tx): Promise<void> {
    const fields = wholeOf(params.type, await this.settingsOf(caller, params, tx));
    await this.writer.create(caller, params.type, wanted(fields), tx);
    afterCommit(tx, () => this.acts.noteDone(caller, 'alert_created'));
  }

  async update(caller: KnownCaller, id: number, params: WatcherDocumentParams, tx: Tx): Promise<void> {
    const before = await this.writer.getWatcher(caller.org.id, id, tx);
    if (before.type !== params.type) throw new WatcherTypeFixedError(before.name, params.type);
    const was = wholeOf(before.type, before);
    const is = wholeOf(before.type, await this.settingsOf(caller, params, tx));
    // Unchanged members are not validated again, for example a recipient whose account was disabled in the meantime.
    const entries = Object.entries(is).filter(
      ([name, value]) => !isDeepStrictEqual(value, was[name as keyof AllFields]),
    );
    const fields = Object.fromEntries(entries) as AllFields;
    await this.writer.update(caller, id, before.type, wanted(fields), tx);
  }

  async remove(caller: KnownCaller, id: number, tx: Tx): Promise<void> {
    await this.writer.delete(caller, id, tx);
  }

  /** @throws ValidationFailedError */
  private async settingsOf(caller: KnownCaller, params: WatcherDocumentParams, tx: Tx): Promise<WatcherSettings> {
    const { email_users = [], sms_users = [], chat_mention_users = [], summary_report_users = [], ...own } = params;
    const lists = { email_users, sms_users, chat_mention_users, summary_report_users };
    const ids = await this.users.idsOf(caller.org.id, lists, tx);
    const { settings, problems } = mergeSettings(params.type, NO_SETTINGS, Object.assign(own, ids));
    if (problems.length > 0) throw new ValidationFailedError(problems);
    return settings;
  }
}

const recipientsOf = ({ recipients }: WatcherSettings): number[] => Object.values(recipients).flat();

function wanted(fields: AllFields): WantedFields {
  const requireSound = (problems: readonly ErrorDetail[]): void => {
    if (problems.length > 0) throw new ValidationFailedError(problems);
  };
  return { fields, requireSound };
}

/** All members of a type with their values, as in calls. */
function wholeOf(type: WatcherType, settings: WatcherSettings): AllFields {
  const { recipients } = settings;
  const sorted = (ids: readonly number[]): number[] => [...ids].sort((one, other) => one - other);
  return Object.assign(typeFields(type, settings), {
    chips: parseChips([...settings.chips]),
    name: settings.name,
    alert: settings.alert,
    chat_channel: settings.chatChannel,
    teams_chat_webhook: settings.teamsChatWebhook,
    pagerduty: settings.pagerduty,
    alertmanager: settings.alertmanager,
    webhook: settings.webhook,
    expiration_time: settings.expirationTime,
    expiration_time_unit: settings.expirationTimeUnit,
    email_users: sorted(recipients.email),
    sms_users: sorted(recipients.sms),
    chat_mention_users: sorted(recipients.chat_mentions),
    summary_report_frequency: settings.summaryReportFrequency,
    summary_report_users: sorted(recipients.summary),
  });
}

function typeFields(type: WatcherType, settings: WatcherSettings): AllFields {
  if (type === 'threshold') return Object.assign({}, thresholdDto(settings.threshold));
  const { kinds } = settings;
  return {
    min_severity: settings.minSeverity,
    min_duration_seconds: settings.minDurationSeconds,
    direction: settings.direction,
    // Naming all of them is the same as naming none.
    kinds: kinds.length === ANOMALY_KINDS.length ? [] : ANOMALY_KINDS.filter((kind) => kinds.includes(kind)),
    alert_budget_per_week: settings.alertBudgetPerWeek,
  };
}

/** The same in the format of documents. */
function fieldsOf(
  type: WatcherType,
  settings: WatcherSettings,
  namesOf: (ids: readonly number[]) => UserRef[],
): ConfigFields {
  const { recipients, chips } = settings;
  const { name, chips: _parsed, ...members } = wholeOf(type, settings);
  return Object.assign({ type, name, chips: [...chips] }, members, {
    email_users: namesOf(recipients.email),
    sms_users: namesOf(recipients.sms),
    chat_mention_users: namesOf(recipients.chat_mentions),
    summary_report_users: namesOf(recipients.summary),
  });
}

const HASH_CHARACTERS = 8;

/**
 * Name of a variable for a watcher: determined by its name alone, and different for different names. Whether two names
 * with letters beyond A to Z are equal is decided by the database, so each of them has its own variable.
 */
function variableOf(name: string): string {
  const lower = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const words = lower.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const isUnambiguous = words.join(' ') === lower;
  const hash = createHash('sha256').update(lower).digest('hex').slice(0, HASH_CHARACTERS);
  return ['watcher', ...words, ...(isUnambiguous ? [] : [hash]), 'teams_chat_webhook'].join('_').toUpperCase();
}
