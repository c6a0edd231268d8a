import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import {
  type AfterCommit,
  type ConfigFields,
  type ConfigKind,
  type ConfigObject,
} from '../../platform/config-kind/config-kind.types.js';
import { ConfigKinds } from '../../platform/config-kind/config-kinds.service.js';
import { AdminAlertSettingsWriter, fieldsOfSettings } from './admin-alert-settings.service.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { ADMIN_ALERTS, type AdminAlertId, DEFAULT_SETTINGS } from './admin-alert.types.js';
import { AdminAlertDocumentParams } from './dto/admin-alert-document.params.js';

/** Admin alerts as documents, known by their code. There are always five. */
@Injectable()
export class AdminAlertConfigKind implements ConfigKind<AdminAlertDocumentParams>, OnModuleInit {
  readonly kind = 'admin_alert';
  readonly params = AdminAlertDocumentParams;
  readonly isFixed = true;

  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly settings: AdminAlertSettingsWriter,
    private readonly kinds: ConfigKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    const rows = new Map((await this.alerts.list(caller.org.id, tx)).map((row) => [row.typeId, row]));
    return ADMIN_ALERTS.map(({ id, code }) => {
      return { id, name: code, fields: { code, ...fieldsOfSettings(rows.get(id) ?? DEFAULT_SETTINGS) } };
    });
  }

  keyOf({ code }: ConfigFields): string {
    return String(code);
  }

  fieldsOf(_caller: KnownCaller, params: AdminAlertDocumentParams): ConfigFields {
    return { code: params.code, ...changeOf(params) };
  }

  create(): Promise<AfterCommit> {
    return Promise.reject(new Error('All admin alerts exist'));
  }

  async update(caller: KnownCaller, id: number, params: AdminAlertDocumentParams, tx: Tx): Promise<AfterCommit> {
    const sent = { change: changeOf(params), fieldOf: (field: string) => field };
    await this.settings.write(caller, new Map([[id as AdminAlertId, sent]]), tx);
    return () => undefined;
  }

  remove(): Promise<AfterCommit> {
    return Promise.reject(new Error('Admin alerts cannot be removed'));
  }
}

function changeOf(params: AdminAlertDocumentParams) {
  return {
    enabled: params.enabled ?? DEFAULT_SETTINGS.enabled,
    email_users: [...(params.email_users ?? [])],
    sms_users: [...(params.sms_users ?? [])],
    chat_channel: params.chat_channel ?? '',
    wait_seconds: params.wait_seconds ?? DEFAULT_SETTINGS.waitSeconds,
    expiration_seconds: params.expiration_seconds ?? DEFAULT_SETTINGS.expirationSeconds,
  };
}
