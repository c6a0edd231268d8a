import { Injectable } from '@nestjs/common';
import { AlertRecordsService } from '../../alerting/alert/alert-records.service.js';
import { GivenUpMessagesService } from '../../alerting/alert/given-up-messages.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { pageOf } from '../../common/paging/paging.js';
import { resolveWindow } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import {
  DeliveryNotFoundError,
  DeliverySubjectNotFoundError,
  DeliverySuppressedError,
} from './delivery-list.errors.js';
import { DeliveryListRepository, type DeliveryRow, type DeliverySubject } from './delivery-list.repository.js';
import { type DeliveriesDto, type DeliveryAnswerDto, type DeliveryDto } from './dto/delivery-list.dto.js';
import { type ListDeliveriesParams } from './dto/delivery-list.params.js';

/** Lists messages with their recipients, and sends failed ones again. */
@Injectable()
export class DeliveryListService {
  constructor(
    private readonly rows: DeliveryListRepository,
    private readonly records: AlertRecordsService,
    private readonly givenUp: GivenUpMessagesService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws DeliverySubjectNotFoundError */
  async list(caller: KnownCaller, query: ListDeliveriesParams): Promise<DeliveriesDto> {
    const orgId = caller.org.id;
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(orgId);
    const { from, until } = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const { watcher_id: watcherId, anomaly_id: anomalyId, incident_id: incidentId } = query;
    await this.require(orgId, { watcher: watcherId, anomaly: anomalyId, incident: incidentId });
    const { state: states, channel: channels, kind: kinds } = query;
    const { deliveries, total } = await this.rows.findPage(
      orgId,
      { from, until, states, channels, kinds, watcherId, anomalyId, incidentId },
      query,
    );
    return { deliveries: await this.present(caller, deliveries), from, until, ...pageOf(query, total) };
  }

  /** @throws DeliveryNotFoundError, DeliverySuppressedError */
  async retry(caller: KnownCaller, id: number): Promise<DeliveryAnswerDto> {
    const before = await this.get(caller, id);
    if (before.state === 'suppressed') throw new DeliverySuppressedError(id);
    if (before.state !== 'failed') return { delivery: before, message: 'OK' };
    await this.givenUp.resend({ orgId: caller.org.id, ids: [id] }, actorOf(caller));
    return { delivery: await this.get(caller, id), message: 'OK' };
  }

  private async require(orgId: number, subjects: Readonly<Record<DeliverySubject, number | undefined>>): Promise<void> {
    for (const [subject, id] of Object.entries(subjects) as [DeliverySubject, number | undefined][]) {
      if (id === undefined || (await this.rows.hasSubject(orgId, subject, id))) continue;
      throw new DeliverySubjectNotFoundError(subject, id);
    }
  }

  private async get(caller: KnownCaller, id: number): Promise<DeliveryDto> {
    const row = await this.rows.find(caller.org.id, id);
    const [delivery] = row === undefined ? [] : await this.present(caller, [row]);
    if (delivery === undefined) throw new DeliveryNotFoundError(id);
    return delivery;
  }

  private async present(caller: KnownCaller, rows: readonly DeliveryRow[]): Promise<DeliveryDto[]> {
    const records = await this.records.findByIds(
      caller,
      rows.map(({ id }) => id),
    );
    return rows.flatMap(({ id, incidentId, createdAt, nextAttemptAt }) => {
      const record = records.get(id);
      return record === undefined
        ? []
        : Object.assign(record, {
            incident_id: incidentId,
            created_timestamp: createdAt,
            next_attempt_timestamp: nextAttemptAt,
          });
    });
  }
}
