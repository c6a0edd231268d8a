import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { ADMIN_ALERTS } from './admin-alert-list.js';
import { AdminAlertNotFoundError } from './admin-alert.errors.js';
import { AdminAlertRecordsService } from './admin-alert-records.service.js';
import { AdminAlertSettingsService } from './admin-alert-settings.service.js';
import { AdminAlertTransitionsService } from './admin-alert-transitions.service.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertDefinition } from './admin-alert.types.js';
import {
  type AdminAlertAnswerDto,
  type AdminAlertRaisedDto,
  type AdminAlertsChangedDto,
  type AdminAlertsDto,
} from './dto/admin-alert.dto.js';
import { changesOf, type RaiseAdminAlertParams, type UpdateAdminAlertsParams } from './dto/admin-alert.params.js';

/** The calls about admin alerts, with their answers. */
@Injectable()
export class AdminAlertService {
  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly records: AdminAlertRecordsService,
    private readonly settings: AdminAlertSettingsService,
    private readonly transitions: AdminAlertTransitionsService,
    private readonly transactions: Transactions,
  ) {}

  async list(caller: KnownCaller): Promise<AdminAlertsDto> {
    const rows = new Map((await this.alerts.list(caller.org.id)).map((row) => [row.typeId, row]));
    const presented = ADMIN_ALERTS.map((definition) =>
      this.records.present(caller, definition, rows.get(definition.id)),
    );
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
    return { alert: await this.records.presentDetails(caller, definition, row) };
  }

  /** A report from an external program. @throws AdminAlertNotFoundError */
  async raise(caller: KnownCaller, idOrCode: string, params: RaiseAdminAlertParams): Promise<AdminAlertRaisedDto> {
    const { id } = definitionOf(idOrCode);
    const { state, message, metrics = [] } = params;
    const report = { isRaised: state === 'raised', message, metrics };
    const notified = await this.transitions.followOutside(caller.org.id, id, report);
    return Object.assign(await this.get(caller, idOrCode), { notified, message: 'OK' });
  }
}

/** @throws AdminAlertNotFoundError */
function definitionOf(idOrCode: string): AdminAlertDefinition {
  const found = ADMIN_ALERTS.find(({ id, code }) => code === idOrCode || String(id) === idOrCode);
  if (!found) throw new AdminAlertNotFoundError();
  return found;
}
