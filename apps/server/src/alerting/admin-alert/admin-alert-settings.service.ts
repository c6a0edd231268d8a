import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { UserService } from '../../people/user/user.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { NamedChannelsService } from '../channel/named-channels.service.js';
import { adminAlertOf } from './admin-alert-list.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertId, type AdminAlertSettings } from './admin-alert.types.js';
import { type AdminAlertChange, type AdminAlertField, type SentChange } from './dto/admin-alert.params.js';

/** Writes the settings of admin alerts, with their audit entry, within the transaction of the caller. */
@Injectable()
export class AdminAlertSettingsService {
  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly users: UserService,
    private readonly audit: AuditTrailService,
    private readonly named: NamedChannelsService,
  ) {}

  /** Channels that do not exist in the chat. This queries its provider, for which no transaction waits. */
  async channelProblems(orgId: number, changes: ReadonlyMap<AdminAlertId, SentChange>): Promise<ErrorDetail[]> {
    const before = new Map((await this.alerts.list(orgId)).map(({ typeId, chatChannel }) => [typeId, chatChannel]));
    const named = [...changes].flatMap(([id, { change, fieldOf }]) => {
      const { chat_channel: channel = '' } = change;
      return channel === '' || channel === before.get(id) ? [] : [{ field: fieldOf('chat_channel'), channel }];
    });
    return this.named.problems(orgId, named);
  }

  /**
   * Returns whether anything differs.
   * @param found problems that are already known
   * @throws ValidationFailedError
   */
  async write(
    caller: KnownCaller,
    changes: ReadonlyMap<AdminAlertId, SentChange>,
    tx: Tx,
    found: readonly ErrorDetail[] = [],
  ): Promise<boolean> {
    const { id: orgId } = caller.org;
    const problems: ErrorDetail[] = [...found];
    for (const sent of changes.values()) problems.push(...(await this.recipientProblems(orgId, sent, tx)));
    if (problems.length > 0) throw new ValidationFailedError(problems);
    let isChanged = false;
    for (const [id, { change }] of changes) if (await this.writeOne(caller, id, change, tx)) isChanged = true;
    return isChanged;
  }

  private async writeOne(caller: KnownCaller, id: AdminAlertId, change: AdminAlertChange, tx: Tx): Promise<boolean> {
    const { id: orgId } = caller.org;
    const before = await this.alerts.lock(orgId, id, tx);
    const after: AdminAlertSettings = {
      enabled: change.enabled ?? before.enabled,
      emailUsers: change.email_users ?? before.emailUsers,
      smsUsers: change.sms_users ?? before.smsUsers,
      chatChannel: change.chat_channel ?? before.chatChannel,
      waitSeconds: change.wait_seconds ?? before.waitSeconds,
      expirationSeconds: change.expiration_seconds ?? before.expirationSeconds,
    };
    const differences = changesBetween(fieldsOfSettings(before), fieldsOfSettings(after));
    if (differences.length === 0) return false;
    const { enabled, emailUsers, smsUsers, chatChannel, waitSeconds, expirationSeconds } = after;
    await this.alerts.update(
      orgId,
      id,
      { enabled, emailUsers: [...emailUsers], smsUsers: [...smsUsers], chatChannel, waitSeconds, expirationSeconds },
      tx,
    );
    const { code, name } = adminAlertOf(id);
    const object = { type: 'admin_alert', id: code, name };
    await this.audit.record(
      { orgId, actor: actorOf(caller), action: 'admin_alert.update', object, changes: differences },
      tx,
    );
    return true;
  }

  /** The named users cannot be removed until `tx` ends. */
  private async recipientProblems(orgId: number, { change, fieldOf }: SentChange, tx: Tx): Promise<ErrorDetail[]> {
    const lists = ['email_users', 'sms_users'] as const satisfies readonly AdminAlertField[];
    const ids = [...new Set(lists.flatMap((list) => change[list] ?? []))];
    if (ids.length === 0) return [];
    const users = new Map((await this.users.holdByIds(orgId, ids, tx)).map((user) => [user.id, user]));
    return lists.flatMap((list): ErrorDetail[] => {
      const given = change[list] ?? [];
      const field = fieldOf(list);
      const unknown = given.filter((id) => users.get(id)?.state !== 'active');
      if (unknown.length > 0) {
        return [{ field, code: 'unknown_user', message: `${field}: there is no active user ${unknown.join(' or ')}` }];
      }
      const lacking = list === 'email_users' ? [] : given.filter((id) => !users.get(id)?.phoneNumber);
      if (lacking.length === 0) return [];
      const message = lacking.map((id) => `user ${String(id)} has no phone number`).join(', ');
      return [{ field, code: 'user_lacks_phone', message: `${field}: ${message}` }];
    });
  }
}

/** Under the names that calls and documents use. */
export function fieldsOfSettings(settings: AdminAlertSettings) {
  const { enabled, emailUsers, smsUsers, chatChannel, waitSeconds, expirationSeconds } = settings;
  return {
    enabled,
    email_users: [...emailUsers],
    sms_users: [...smsUsers],
    chat_channel: chatChannel,
    wait_seconds: waitSeconds,
    expiration_seconds: expirationSeconds,
  };
}
