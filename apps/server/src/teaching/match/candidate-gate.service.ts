import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { Clock } from '../../common/clock.js';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { type AnomalyGate, AnomalyGateService } from '../../analysis/anomaly/anomaly-gate.service.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { CandidateRepository, type CandidateRow, keyOf } from './candidate.repository.js';
import { MatchConfig } from './match.config.js';

/**
 * Holds findings on metrics with patterns as candidates, in the transaction in which they would become anomalies: a
 * process that dies loses nothing, and a replay of the log creates no candidate twice.
 */
@Injectable()
export class CandidateGateService implements AnomalyGate, OnModuleInit {
  private readonly wakers = new Set<() => void>();

  constructor(
    private readonly gates: AnomalyGateService,
    private readonly patterns: PatternDirectoryService,
    private readonly candidates: CandidateRepository,
    private readonly anomalies: AnomalyRecordingService,
    private readonly config: MatchConfig,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.gates.register(this);
  }

  /** Registers the function that is called when there are unchecked candidates. */
  onCandidates(wake: () => void): void {
    this.wakers.add(wake);
  }

  async admit(events: readonly AnomalyEvent[], tx: Tx): Promise<readonly AnomalyEvent[]> {
    const latest = new Map(events.map((event) => [keyOfEvent(event), event]));
    const keys = [...latest.values()].map(({ seriesId, startTimestamp }) => ({ metricId: seriesId, startTimestamp }));
    const held = await this.candidates.lockMany(keys, tx);
    const guarded = await this.patterns.metricsWithPatterns([...new Set(keys.map(({ metricId }) => metricId))], tx);
    if (held.length === 0 && guarded.length === 0) return events;
    const now = this.clock.now();
    const renewed = held.map((row) => ({ key: row, event: latest.get(keyOf(row))! }));
    await this.candidates.renew(renewed, now, tx);
    const kept = new Set(held.filter(({ state }) => state === 'pending' || state === 'matched').map(keyOf));
    const known = new Set(held.map(keyOf));
    for (const row of await this.anomalies.findKnown([...latest.values()], tx)) known.add(keyOf(row));
    const guards = new Map(guarded.map((guard) => [guard.metricId, guard]));
    const fresh: Omit<CandidateRow, 'revision'>[] = [];
    for (const [key, event] of latest) {
      const guard = guards.get(event.seriesId);
      if (guard === undefined || known.has(key)) continue;
      if (guard.suppresses) kept.add(key);
      fresh.push({
        metricId: event.seriesId,
        startTimestamp: event.startTimestamp,
        orgId: guard.orgId,
        event,
        state: guard.suppresses ? 'pending' : 'open',
        deadline: now + this.config.deadlineSeconds,
        checkAt: now,
      });
    }
    await this.candidates.insert(fresh, tx);
    if (fresh.length > 0 || held.length > 0) {
      afterCommit(tx, () => {
        for (const wake of this.wakers) wake();
      });
    }
    return events.filter((event) => !kept.has(keyOfEvent(event)));
  }
}

const keyOfEvent = ({ seriesId, startTimestamp }: AnomalyEvent): string =>
  keyOf({ metricId: seriesId, startTimestamp });
