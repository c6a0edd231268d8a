import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { StreamLog } from '../../platform/stream-log/stream-log.service.js';
import { AlertHistory } from '../alert-history/alert-history.service.js';
import { AnomalyGates } from './anomaly-gate.service.js';
import {
  type Acknowledgement,
  type AnomalyMark,
  AnomalyRecordingRepository,
  type AnomalyRow,
  type TrainedRow,
} from './anomaly-recording.repository.js';
import { AnomalyVerdictRepository } from './anomaly-verdict.repository.js';
import { type AnomalyChanged, AnomalyEvents } from './anomaly.events.js';

/** Writes what the detector found. Recording the same again changes nothing and notifies no listener. */
@Injectable()
export class AnomalyRecorder {
  constructor(
    private readonly anomalies: AnomalyRecordingRepository,
    private readonly events: AnomalyEvents,
    private readonly transactions: Transactions,
    private readonly stream: StreamLog,
    private readonly gates: AnomalyGates,
    private readonly verdicts: AnomalyVerdictRepository,
    private readonly alerts: AlertHistory,
  ) {}

  /**
   * Stores events in the order they happened, except those that the gate keeps; the last statements of the transaction. To
   * be published by `publish` once it is committed.
   */
  async record(events: readonly AnomalyEvent[], tx: Tx): Promise<AnomalyChanged[]> {
    if (events.length === 0) return [];
    return this.recordChecked(await this.gates.admit(events, tx), tx);
  }

  /** Stores events whatever the gate says: it has answered, or its time is over. */
  async recordChecked(events: readonly AnomalyEvent[], tx: Tx): Promise<AnomalyChanged[]> {
    if (events.length === 0) return [];
    const latest = new Map(events.map((event) => [keyOf(event.seriesId, event.startTimestamp), event]));
    const recorded = await this.anomalies.upsert([...latest.values()], tx);
    const changes = recorded.flatMap(({ id, orgId, metricId, startTimestamp, backfill, isNew, metric }) => {
      const event = latest.get(keyOf(metricId, startTimestamp))!;
      const facts = { ...event, metric };
      const isClosed = event.type === 'closed';
      const change = { orgId, anomalyId: id, metricId, backfill, facts };
      const opened: AnomalyChanged[] = isNew ? [{ type: 'opened', ...change }] : [];
      const further: AnomalyChanged[] = isClosed ? [{ type: 'closed', ...change }] : [{ type: 'updated', ...change }];
      return isNew && !isClosed ? opened : [...opened, ...further];
    });
    const steps = changes.filter(({ type }) => type !== 'updated').map(({ anomalyId }) => anomalyId);
    await this.verdicts.note([...new Set(steps)], tx);
    await this.tell(changes, tx);
    return changes;
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
    const closed = await this.transactions.run(async (tx) => {
      const rows = await this.anomalies.close(orgId, metricIds, reason, at, tx);
      const changes = rows.map((row): AnomalyChanged => ({ type: 'closed', ...row }));
      await this.tell(changes, tx);
      return changes;
    });
    this.publish(closed);
    return closed.length;
  }

  /** Whether the check against patterns has not answered yet. */
  setUnconfirmed(events: readonly AnomalyEvent[], unconfirmed: boolean, tx: Tx): Promise<void> {
    return this.anomalies.setUnconfirmed(events, unconfirmed, tx);
  }

  /** The row of an event, if it has one, held until `tx` ends. */
  async findRow(event: Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>, tx: Tx): Promise<AnomalyRow | null> {
    return (await this.findRows([event], tx))[0] ?? null;
  }

  /** Of events, the rows that are there, held until `tx` ends. */
  findRows(events: readonly Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>[], tx: Tx): Promise<AnomalyRow[]> {
    return this.anomalies.findRows(events, tx);
  }

  /** Those of the keys that are anomalies already. */
  findKnown(events: readonly AnomalyEvent[], tx: Tx): Promise<{ metricId: number; startTimestamp: number }[]> {
    return this.anomalies.findKnown(events, tx);
  }

  /** A verdict on the past made them anomalies: no alert is sent about them. */
  setQuiet(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void> {
    return this.anomalies.setQuiet(orgId, anomalyIds, tx);
  }

  /** Deletes one that turned out never to have been there. */
  remove(orgId: number, anomalyId: number, tx: Tx): Promise<void> {
    return this.anomalies.remove(orgId, anomalyId, tx);
  }

  /** Holds the row until `tx` ends. */
  hold(orgId: number, anomalyId: number, tx: Tx): Promise<TrainedRow | null> {
    return this.anomalies.hold(orgId, anomalyId, tx);
  }

  /** What a person or a pattern said of it. Answers what is to be published once it is committed. */
  async mark(orgId: number, anomalyId: number, mark: AnomalyMark, tx: Tx): Promise<AnomalyChanged | null> {
    const changed = await this.anomalies.mark(orgId, anomalyId, mark, tx);
    if (changed === null) return null;
    if (mark.state === 'trained') await this.alerts.silence(orgId, [anomalyId], tx);
    await this.tell([changed], tx);
    return changed;
  }

  /** Acknowledges, or takes that back. */
  async acknowledge(
    orgId: number,
    ids: readonly number[],
    by: Acknowledgement | null,
    tx: Tx,
  ): Promise<AnomalyChanged[]> {
    const changes = await this.anomalies.acknowledge(orgId, ids, by, tx);
    if (by !== null) await this.alerts.silence(orgId, ids, tx);
    // That somebody acknowledges happens now, whenever the anomaly was.
    await this.append(changes, tx);
    return changes;
  }

  /** To be called once changes are committed. */
  publish(changes: readonly AnomalyChanged[]): void {
    this.events.publish(changes);
    this.gates.noteCommitted();
  }

  /** Listeners watch what happens now; what is found in back-filled history is in the lists. */
  private tell(changes: readonly AnomalyChanged[], tx: Tx): Promise<void> {
    return this.append(
      changes.filter(({ backfill }) => !backfill),
      tx,
    );
  }

  private async append(changes: readonly AnomalyChanged[], tx: Tx): Promise<void> {
    const events = changes.map(({ orgId, type, anomalyId, metricId }) => {
      return { orgId, type: `anomaly.${type}` as const, subjectId: anomalyId, metricId };
    });
    await this.stream.append(events, tx);
  }
}

const keyOf = (metricId: number, start: number): string => `${String(metricId)}@${String(start)}`;
