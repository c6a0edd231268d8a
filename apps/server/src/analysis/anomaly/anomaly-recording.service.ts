import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';
import { type AnomalyChanged, AnomalyEvents } from './anomaly.events.js';

/** Writes what the detector found. Recording the same again changes nothing and notifies no listener. */
@Injectable()
export class AnomalyRecorder {
  constructor(
    private readonly anomalies: AnomalyRecordingRepository,
    private readonly events: AnomalyEvents,
  ) {}

  /** Stores events in the order they happened. To be published by `publish` once the transaction is committed. */
  async record(events: readonly AnomalyEvent[], tx: Tx): Promise<AnomalyChanged[]> {
    if (events.length === 0) return [];
    const latest = new Map(events.map((event) => [keyOf(event.seriesId, event.startTimestamp), event]));
    const recorded = await this.anomalies.upsert([...latest.values()], tx);
    return recorded.flatMap(({ id, orgId, metricId, startTimestamp, backfill, isNew }) => {
      const facts = latest.get(keyOf(metricId, startTimestamp))!;
      const isClosed = facts.type === 'closed';
      const change = { orgId, anomalyId: id, metricId, backfill, facts };
      const opened: AnomalyChanged[] = isNew ? [{ type: 'opened', ...change }] : [];
      const further: AnomalyChanged[] = isClosed ? [{ type: 'closed', ...change }] : [{ type: 'updated', ...change }];
      return isNew && !isClosed ? opened : [...opened, ...further];
    });
  }

  /**
   * Closes what is open on metrics that leave analysis. `at`: Unix seconds. Answers how many there were; tells of them
   * once they are committed.
   */
  async close(
    orgId: number,
    metricIds: readonly number[],
    reason: 'excluded' | 'data_ended',
    at: number,
  ): Promise<number> {
    const closed = await this.anomalies.close(orgId, metricIds, reason, at);
    this.publish(closed.map((row) => ({ type: 'closed', ...row })));
    return closed.length;
  }

  /** Anomalies of a metric, open or closed. */
  count(orgId: number, metricId: number): Promise<number> {
    return this.anomalies.count(orgId, metricId);
  }

  publish(changes: readonly AnomalyChanged[]): void {
    this.events.publish(changes);
  }
}

const keyOf = (metricId: number, start: number): string => `${String(metricId)}@${String(start)}`;
