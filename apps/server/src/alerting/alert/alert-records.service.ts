import { Injectable } from '@nestjs/common';
import { type AlertDeliveryDto } from '../../analysis/alert-history/alert-delivery.dto.js';
import { type AlertedAnomaly, type SentAlerts } from '../../analysis/alert-history/alert-history.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { dateTime } from '../../common/display/display.js';
import { type Window } from '../../common/window/window.js';
import { type Viewer } from '../../people/user/user.types.js';
import { viewerOf } from '../../people/user/user.functions.js';
import { partsOfReference } from '../channel/server-reference.functions.js';
import { AlertRecordsRepository, type DeliveryRecord } from './alert-records.repository.js';
import { type AlertCounts, type DeliveryFilter, type DeliveryOutcome } from './alert.types.js';

/** Past alerts for people. */
@Injectable()
export class AlertRecordsService {
  constructor(private readonly records: AlertRecordsRepository) {}

  /** Messages, newest first. */
  async list(caller: KnownCaller, filter: DeliveryFilter, limit: number): Promise<AlertDeliveryDto[]> {
    const viewer = viewerOf(caller);
    const rows = await this.records.list(caller.org.id, filter, limit);
    return rows.map((row) => toAlertDeliveryDto(row, caller.org.timezone, viewer));
  }

  /** Existing messages by id. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<Map<number, AlertDeliveryDto>> {
    const found = ids.length === 0 ? [] : await this.list(caller, { ids }, ids.length);
    return new Map(found.map((one) => [one.id, one]));
  }

  async listOutcomes(orgId: number, alertId: number): Promise<DeliveryOutcome[]> {
    const rows = await this.records.listOutcomes(orgId, alertId);
    return rows.map(({ channel, recipient, state, message }) => ({
      destination: { channel, recipient },
      state,
      message,
    }));
  }

  /** True if a watcher has alerts whose keys have this prefix. */
  hasAlerts(orgId: number, watcherId: number, keyStart: string): Promise<boolean> {
    return this.records.hasAlerts(orgId, watcherId, keyStart);
  }

  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]> {
    return this.records.listAlerted(orgId, anomalyIds);
  }

  /** `now` in Unix seconds. */
  count(orgId: number, now: number): Promise<AlertCounts> {
    return this.records.count(orgId, now);
  }

  async countSent(orgId: number, window: Window, metricIds: readonly number[]): Promise<SentAlerts> {
    const [total, byMetric] = await Promise.all([
      this.records.countSent(orgId, window),
      this.records.countSentByMetric(orgId, window, metricIds),
    ]);
    return { total, byMetric: new Map(byMetric.map(({ metricId, count }) => [metricId, count])) };
  }

  /** How many alerts were about at least one of these metrics. */
  countSentOf(orgId: number, window: Window, metricIds: readonly number[]): Promise<number> {
    return this.records.countSentOf(orgId, window, metricIds);
  }

  /** Number of alerts first sent in each period of `seconds`; periods without any are omitted. */
  countByStretch(
    orgId: number,
    stretches: Window & { seconds: number },
  ): Promise<{ timestamp: number; count: number }[]> {
    return this.records.countByStretch(orgId, stretches);
  }
}

function toAlertDeliveryDto(record: DeliveryRecord, zone: string, viewer: Viewer): AlertDeliveryDto {
  const timestamp = Math.floor(record.timestamp);
  return {
    id: record.id,
    kind: record.kind,
    phase: record.phase,
    title: record.title,
    anomaly_id: record.anomalyId,
    watcher_id: record.watcherId,
    watcher_name: record.watcherName,
    channel: record.channel,
    recipient: shownRecipient(record, viewer),
    state: record.state,
    suppressed_by: record.suppressedBy,
    attempts: record.tries,
    message: record.message,
    timestamp,
    timestamp_string: dateTime(timestamp, zone),
  };
}

function shownRecipient({ channel, recipient, userId }: DeliveryRecord, viewer: Viewer): string {
  switch (channel) {
    case 'email':
    case 'sms':
      return viewer.admin || (userId !== null && viewer.userId === userId) ? recipient : '';
    case 'teams_chat':
      return partsOfReference(recipient).host;
    default:
      return recipient;
  }
}
