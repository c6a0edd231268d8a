import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { afterCommit, Transactions, type Tx } from '../../common/database/transactions.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { AlertHistoryService } from '../alert-history/alert-history.service.js';
import { AnomalyGateService } from './anomaly-gate.service.js';
import {
  type Acknowledgement,
  type AnomalyMark,
  AnomalyRecordingRepository,
  type AnomalyRow,
  type TrainedRow,
} from './anomaly-recording.repository.js';
import { AnomalyVerdictRepository } from './anomaly-verdict.repository.js';
import { type AnomalyChanged, AnomalyEvents } from './anomaly.events.js';

/** Additional information for listeners about an opening anomaly. */
type OpeningDetails = Pick<AnomalyChanged, 'quiet' | 'unconfirmed'>;

/**
 * Writes the findings of the detector. Recording a finding again changes nothing and notifies no listener. Every change
 * is published after its transaction is committed.
 */
@Injectable()
export class AnomalyRecordingService {
  constructor(
    private readonly anomalies: AnomalyRecordingRepository,
    private readonly events: AnomalyEvents,
    private readonly transactions: Transactions,
    private readonly stream: StreamLogService,
    private readonly gates: AnomalyGateService,
    private readonly verdicts: AnomalyVerdictRepository,
    private readonly alerts: AlertHistoryService,
  ) {}

  /**
   * Stores events in the order in which they happened, except those that the gate holds; the last statements of the
   * transaction.
   */
  async record(events: readonly AnomalyEvent[], tx: Tx): Promise<void> {
    if (events.length > 0) await this.recordChecked(await this.gates.admit(events, tx), tx);
  }

  /** Stores events regardless of the gate: it has decided, or its time is over. */
  async recordChecked(
    events: readonly AnomalyEvent[],
    tx: Tx,
    opening: OpeningDetails = {},
  ): Promise<AnomalyChanged[]> {
    if (events.length === 0) return [];
    const latest = new Map(events.map((event) => [keyOf(event.seriesId, event.startTimestamp), event]));
    const recorded = await this.anomalies.upsert([...latest.values()], tx);
    const changes = recorded.flatMap(({ id, orgId, metricId, startTimestamp, backfill, isNew, metric }) => {
      const event = latest.get(keyOf(metricId, startTimestamp))!;
      const facts = { ...event, metric };
      const isClosed = event.type === 'closed';
      const change = { orgId, anomalyId: id, metricId, backfill, facts, ...opening };
      const opened: AnomalyChanged[] = isNew ? [{ type: 'opened', ...change }] : [];
      const further: AnomalyChanged[] = isClosed ? [{ type: 'closed', ...change }] : [{ type: 'updated', ...change }];
      return isNew && !isClosed ? opened : [...opened, ...further];
    });
    const steps = changes.filter(({ type }) => type !== 'updated').map(({ anomalyId }) => anomalyId);
    await this.verdicts.note([...new Set(steps)], tx);
    await this.notifyListeners(changes, tx);
    this.publish(changes, tx);
    return changes;
  }

  /** Closes open anomalies of metrics that are no longer analysed. `at`: Unix seconds. Returns their number. */
  async close(
    orgId: number,
    metricIds: readonly number[],
    reason: 'excluded' | 'data_ended',
    at: number,
  ): Promise<number> {
    return this.transactions.run(async (tx) => {
      const rows = await this.anomalies.close(orgId, metricIds, reason, at, tx);
      const changes = rows.map((row): AnomalyChanged => ({ type: 'closed', ...row }));
      await this.notifyListeners(changes, tx);
      this.publish(changes, tx);
      return changes.length;
    });
  }

  /** True if the check against patterns has no result yet. */
  setUnconfirmed(events: readonly AnomalyEvent[], unconfirmed: boolean, tx: Tx): Promise<void> {
    return this.anomalies.setUnconfirmed(events, unconfirmed, tx);
  }

  /** The row of an event, if it exists, locked until `tx` ends. */
  async findRow(event: Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>, tx: Tx): Promise<AnomalyRow | null> {
    return (await this.findRows([event], tx))[0] ?? null;
  }

  /** The existing rows of events, locked until `tx` ends. */
  findRows(events: readonly Pick<AnomalyEvent, 'seriesId' | 'startTimestamp'>[], tx: Tx): Promise<AnomalyRow[]> {
    return this.anomalies.findRows(events, tx);
  }

  /** The keys that are already anomalies. */
  findKnown(events: readonly AnomalyEvent[], tx: Tx): Promise<{ metricId: number; startTimestamp: number }[]> {
    return this.anomalies.findKnown(events, tx);
  }

  /** A later verdict made them anomalies: no alert is sent about them. */
  setQuiet(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void> {
    return this.anomalies.setQuiet(orgId, anomalyIds, tx);
  }

  /** Deletes an anomaly that turned out not to exist. */
  remove(orgId: number, anomalyId: number, tx: Tx): Promise<void> {
    return this.anomalies.remove(orgId, anomalyId, tx);
  }

  /** Locks the row until `tx` ends. */
  lock(orgId: number, anomalyId: number, tx: Tx): Promise<TrainedRow | null> {
    return this.anomalies.lock(orgId, anomalyId, tx);
  }

  /** The verdict of a person or a pattern on it. */
  async mark(orgId: number, anomalyId: number, mark: AnomalyMark, tx: Tx): Promise<void> {
    const changed = await this.anomalies.mark(orgId, anomalyId, mark, tx);
    if (changed === null) return;
    if (mark.state === 'trained') await this.alerts.silence(orgId, [anomalyId], tx);
    await this.notifyListeners([changed], tx);
    this.publish([changed], tx);
  }

  /** It was a match, and is an anomaly after all: for listeners it opens, and closes again if it is over. */
  async reopen(orgId: number, anomalyId: number, mark: Omit<AnomalyMark, 'state' | 'matchId'>, tx: Tx): Promise<void> {
    const changed = await this.anomalies.mark(orgId, anomalyId, { ...mark, state: 'open' }, tx);
    if (changed === null) return;
    await this.notifyListeners([changed], tx);
    this.publish([{ ...changed, type: 'opened' }, ...(changed.facts.endTimestamp === null ? [] : [changed])], tx);
  }

  /** Acknowledges anomalies or undoes this. Returns the ids of those that are open. */
  async acknowledge(orgId: number, ids: readonly number[], by: Acknowledgement | null, tx: Tx): Promise<number[]> {
    const changes = await this.anomalies.acknowledge(orgId, ids, by, tx);
    if (by !== null) await this.alerts.silence(orgId, ids, tx);
    // The acknowledgement happens now, whenever the anomaly was.
    await this.append(changes, tx);
    this.publish(changes, tx);
    return changes.map(({ anomalyId }) => anomalyId);
  }

  private publish(changes: readonly AnomalyChanged[], tx: Tx): void {
    if (changes.length === 0) return;
    afterCommit(tx, () => {
      this.events.publish(changes);
    });
  }

  /** Listeners watch current events; anomalies in backfilled history are only in the lists. */
  private notifyListeners(changes: readonly AnomalyChanged[], tx: Tx): Promise<void> {
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
