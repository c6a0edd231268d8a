import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { viewerOf } from '../../people/user/user.functions.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { ADMIN_ALERTS } from './admin-alert-list.js';
import { type AdminAlertEntity } from './admin-alert.entity.js';
import { AdminAlertNotFoundError } from './admin-alert.errors.js';
import { AdminAlertSettingsService } from './admin-alert-settings.service.js';
import { AdminAlertTransitionsService } from './admin-alert-transitions.service.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertDefinition, type AdminAlertSettings, DEFAULT_SETTINGS } from './admin-alert.types.js';
import { AdminRecipientsService, namesRecipients } from './admin-recipients.service.js';
import {
  type AdminAlertAnswerDto,
  type AdminAlertDetailsDto,
  type AdminAlertDto,
  type AdminAlertRaisedDto,
  type AdminAlertsChangedDto,
  type AdminAlertsDto,
  type AdminAlertWayDto,
} from './dto/admin-alert.dto.js';
import { changesOf, type RaiseAdminAlertParams, type UpdateAdminAlertsParams } from './dto/admin-alert.params.js';

/** The calls about admin alerts, with their answers. */
@Injectable()
export class AdminAlertService {
  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly settings: AdminAlertSettingsService,
    private readonly transitions: AdminAlertTransitionsService,
    private readonly transactions: Transactions,
    private readonly recipients: AdminRecipientsService,
    private readonly users: UserService,
  ) {}

  async list(caller: KnownCaller): Promise<AdminAlertsDto> {
    const rows = new Map((await this.alerts.list(caller.org.id)).map((row) => [row.typeId, row]));
    const presented = ADMIN_ALERTS.map((definition) => this.present(caller, definition, rows.get(definition.id)));
    return { admin_alerts: await Promise.all(presented) };
  }

  /** Changes only the given members; without any it only reads. @throws ValidationFailedError */
  async update(caller: KnownCaller, params: UpdateAdminAlertsParams): Promise<AdminAlertsChangedDto> {
    const changes = changesOf(params);
    if (changes.size > 0) {
      const found = await this.settings.channelProblems(caller.org.id, changes);
      await this.transactions.run((tx) => this.settings.write(caller, changes, tx, found));
    }
    return Object.assign(await this.list(caller), { message: 'OK' });
  }

  /** @throws AdminAlertNotFoundError */
  async get(caller: KnownCaller, idOrCode: string): Promise<AdminAlertAnswerDto> {
    const definition = definitionOf(idOrCode);
    const row = (await this.alerts.list(caller.org.id)).find(({ typeId }) => typeId === definition.id);
    return { alert: await this.presentDetails(caller, definition, row) };
  }

  /** A report from an external program. @throws AdminAlertNotFoundError */
  async raise(caller: KnownCaller, idOrCode: string, params: RaiseAdminAlertParams): Promise<AdminAlertRaisedDto> {
    const { id } = definitionOf(idOrCode);
    const { state, message, metrics = [] } = params;
    const report = { isRaised: state === 'raised', message, metrics };
    const notified = await this.transitions.followOutside(caller.org.id, id, report);
    return Object.assign(await this.get(caller, idOrCode), { notified, message: 'OK' });
  }

  /** @param row undefined if nothing was set yet */
  private async present(
    caller: KnownCaller,
    { id, code, name, configurable }: AdminAlertDefinition,
    row: AdminAlertEntity | undefined,
  ): Promise<AdminAlertDto> {
    const settings: AdminAlertSettings = row ?? DEFAULT_SETTINGS;
    return {
      id,
      code,
      name,
      wait_seconds: settings.waitSeconds,
      expiration_seconds: settings.expirationSeconds,
      enabled: settings.enabled,
      configurable,
      alerts: await this.recipientsOf(caller, settings),
      named: namesRecipients(settings),
      state: row?.state ?? 'ok',
      last_notified_timestamp: secondsOrNull(row?.lastNotifiedAt),
    };
  }

  private async presentDetails(
    caller: KnownCaller,
    definition: AdminAlertDefinition,
    row: AdminAlertEntity | undefined,
  ): Promise<AdminAlertDetailsDto> {
    const record = await this.present(caller, definition, row);
    const isOn = row !== undefined && row.state !== 'ok';
    return Object.assign(record, {
      since_timestamp: secondsOrNull(row?.since),
      affected_count: isOn ? row.affectedCount : 0,
      affected_metrics: isOn ? row.affectedMetrics : [],
      message: isOn ? row.message : '',
    });
  }

  private async recipientsOf(caller: KnownCaller, settings: AdminAlertSettings): Promise<AdminAlertWayDto[]> {
    const { email, sms, chatChannel } = await this.recipients.find(caller.org.id, settings);
    const viewer = viewerOf(caller);
    const recipientBy = async (method: 'email' | 'sms', { id }: User): Promise<AdminAlertWayDto> => {
      return { method, ref: String(id), user: await this.users.record(caller.org.id, id, viewer) };
    };
    const named = await Promise.all([
      ...email.map((user) => recipientBy('email', user)),
      ...sms.map((user) => recipientBy('sms', user)),
    ]);
    return chatChannel === '' ? named : [...named, { method: 'chat', ref: chatChannel, user: null }];
  }
}

/** @throws AdminAlertNotFoundError */
function definitionOf(idOrCode: string): AdminAlertDefinition {
  const found = ADMIN_ALERTS.find(({ id, code }) => code === idOrCode || String(id) === idOrCode);
  if (!found) throw new AdminAlertNotFoundError(idOrCode);
  return found;
}

const secondsOrNull = (value: number | null | undefined): number | null => (value == null ? null : Math.floor(value));
