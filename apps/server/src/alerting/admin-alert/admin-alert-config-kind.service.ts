import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { UserRefsService } from '../../people/user/user-refs.service.js';
import { type UserRef } from '../../people/user/user.types.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import { type ConfigFields, type ConfigKind, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { ADMIN_ALERTS } from './admin-alert-list.js';
import { AdminAlertSettingsService, fieldsOfSettings } from './admin-alert-settings.service.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertCode, type AdminAlertId, DEFAULT_SETTINGS } from './admin-alert.types.js';
import { AdminAlertDocumentParams } from './dto/admin-alert-document.params.js';

/** Admin alerts as documents, identified by their code. There are always five. */
@DescribesConfig({
  kind: 'admin_alert',
  says: 'Who is alerted when the service itself needs attention.',
  params: AdminAlertDocumentParams,
  isFixed: true,
  isBasis: false,
})
@Injectable()
export class AdminAlertConfigKindService implements ConfigKind<AdminAlertDocumentParams>, OnModuleInit {
  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly settings: AdminAlertSettingsService,
    private readonly users: UserRefsService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    const { id: orgId } = caller.org;
    const rows = new Map((await this.alerts.list(orgId, tx)).map((row) => [row.typeId, row]));
    const all = ADMIN_ALERTS.map(({ id, code }) => {
      return { id, code, settings: fieldsOfSettings(rows.get(id) ?? DEFAULT_SETTINGS) };
    });
    const named = all.flatMap(({ settings }) => [...settings.email_users, ...settings.sms_users]);
    const namesOf = await this.users.namesOf(orgId, named, tx);
    return all.map(({ id, code, settings }) => ({ id, name: code, fields: fieldsOf(code, settings, namesOf) }));
  }

  keyOf({ code }: ConfigFields): string {
    return String(code);
  }

  async fieldsOf(caller: KnownCaller, params: AdminAlertDocumentParams, tx: Tx): Promise<ConfigFields> {
    const change = await this.changeOf(caller, params, tx);
    const namesOf = await this.users.namesOf(caller.org.id, [...change.email_users, ...change.sms_users], tx);
    return fieldsOf(params.code, change, namesOf);
  }

  create(): Promise<void> {
    return Promise.reject(new Error('All admin alerts exist'));
  }

  async update(caller: KnownCaller, id: number, params: AdminAlertDocumentParams, tx: Tx): Promise<void> {
    const sent = { change: await this.changeOf(caller, params, tx), fieldOf: (field: string) => field };
    await this.settings.write(caller, new Map([[id as AdminAlertId, sent]]), tx);
  }

  remove(): Promise<void> {
    return Promise.reject(new Error('Admin alerts cannot be removed'));
  }

  private async changeOf(caller: KnownCaller, params: AdminAlertDocumentParams, tx: Tx): Promise<WholeChange> {
    const { email_users = [], sms_users = [] } = params;
    const ids = await this.users.idsOf(caller.org.id, { email_users, sms_users }, tx);
    return {
      enabled: params.enabled ?? DEFAULT_SETTINGS.enabled,
      email_users: ids.email_users,
      sms_users: ids.sms_users,
      chat_channel: params.chat_channel ?? '',
      wait_seconds: params.wait_seconds ?? DEFAULT_SETTINGS.waitSeconds,
      expiration_seconds: params.expiration_seconds ?? DEFAULT_SETTINGS.expirationSeconds,
    };
  }
}

type WholeChange = ReturnType<typeof fieldsOfSettings>;

function fieldsOf(
  code: AdminAlertCode,
  change: WholeChange,
  namesOf: (ids: readonly number[]) => readonly UserRef[],
): ConfigFields {
  return {
    code,
    enabled: change.enabled,
    email_users: namesOf(change.email_users),
    sms_users: namesOf(change.sms_users),
    chat_channel: change.chat_channel,
    wait_seconds: change.wait_seconds,
    expiration_seconds: change.expiration_seconds,
  };
}
