import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { viewerOf } from '../../people/user/user.functions.js';
import { type AdminAlertEntity } from './admin-alert.entity.js';
import { type AdminAlertDefinition, type AdminAlertSettings, DEFAULT_SETTINGS } from './admin-alert.types.js';
import { AdminRecipientsService, namesRecipients } from './admin-recipients.service.js';
import { type AdminAlertDetailsDto, type AdminAlertDto, type AdminAlertWayDto } from './dto/admin-alert.dto.js';

/** Records of admin alerts. */
@Injectable()
export class AdminAlertRecordsService {
  constructor(
    private readonly recipients: AdminRecipientsService,
    private readonly users: UserService,
  ) {}

  /** @param row undefined if nothing was set yet */
  async present(
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

  async presentDetails(
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

const secondsOrNull = (value: number | null | undefined): number | null => (value == null ? null : Math.floor(value));
