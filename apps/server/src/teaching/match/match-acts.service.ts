import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { MatchEvents } from './match.events.js';
import { type MatchOfEvent, MatchRepository, type NewMatch } from './match.repository.js';
import { groupedBy } from './batches.js';

export interface CreatedMatch {
  id: number;
  match: NewMatch;
}

/**
 * Creates and undoes matches: match, anomaly and counts of the pattern change together. The changes are published after
 * the commit.
 */
@Injectable()
export class MatchActsService {
  constructor(
    private readonly matches: MatchRepository,
    private readonly patterns: PatternDirectoryService,
    private readonly anomalies: AnomalyRecordingService,
    private readonly changes: MatchEvents,
    private readonly events: EventRecorderService,
    private readonly stream: StreamLogService,
  ) {}

  /** Creates matches of one organisation. Anomalies that were opened because there was no verdict yet are withdrawn. */
  async create(orgId: number, matches: readonly NewMatch[], tx: Tx): Promise<CreatedMatch[]> {
    if (matches.length === 0) return [];
    const ids = await this.matches.insert(matches, tx);
    await this.patterns.addMatches(orgId, countsOf(matches), tx);
    for (const [i, match] of matches.entries()) {
      const id = ids[i]!;
      if (match.anomalyId !== null) {
        const mark = { state: 'trained', closeReason: 'trained', matchId: id } as const;
        await this.anomalies.mark(orgId, match.anomalyId, mark, tx);
      }
      this.publishCreated(id, match, tx);
    }
    return matches.map((match, i) => ({ id: ids[i]!, match }));
  }

  /** Updates matches after a new comparison, which may have chosen another pattern. */
  async renew(orgId: number, renewed: readonly { known: MatchOfEvent; match: NewMatch }[], tx: Tx): Promise<void> {
    if (renewed.length === 0) return;
    await this.matches.renew(
      orgId,
      renewed.map(({ known, match }) => ({ ...match, id: known.id })),
      tx,
    );
    const moved = renewed.filter(({ known, match }) => known.patternId !== match.patternId);
    if (moved.length === 0) return;
    await this.patterns.takeMatchesBack(orgId, countsOf(moved.map(({ known }) => known)), tx);
    await this.patterns.addMatches(orgId, countsOf(moved.map(({ match }) => match)), tx);
  }

  /** The match becomes an anomaly after all. */
  async withdraw(match: MatchOfEvent, event: AnomalyEvent, options: { quiet?: boolean }, tx: Tx): Promise<void> {
    await this.matches.remove(match.orgId, [match.id], tx);
    await this.patterns.takeMatchesBack(match.orgId, [{ id: match.patternId, count: 1 }], tx);
    await this.toAnomaly(match, event, options, tx);
    const { id, orgId, metricId, patternId, startTimestamp: timestamp } = match;
    afterCommit(tx, () => {
      this.changes.publish([{ type: 'withdrawn', orgId, matchId: id, metricId, patternId, timestamp }]);
    });
  }

  /** Returns the id of the anomaly, or null if its metric no longer exists; `isMade`: it did not exist before. */
  async toAnomaly(
    match: MatchOfEvent,
    event: AnomalyEvent,
    { quiet }: { quiet?: boolean },
    tx: Tx,
  ): Promise<{ id: number | null; isNew: boolean }> {
    if (match.anomalyId !== null) {
      await this.anomalies.reopen(match.orgId, match.anomalyId, { closeReason: event.closeReason, quiet }, tx);
      return { id: match.anomalyId, isNew: false };
    }
    const changes = await this.anomalies.recordChecked([event], tx, quiet ? { quiet } : {});
    const row = await this.anomalies.findRow(event, tx);
    if (quiet && row !== null) await this.anomalies.setQuiet(row.orgId, [row.id], tx);
    return { id: row?.id ?? null, isNew: changes.some(({ type }) => type === 'opened') };
  }

  /** A match that was marked wrong was right after all: its anomaly is expected behaviour. */
  async takeAnomalyBack({ id, orgId, anomalyId, hasCreatedAnomaly }: MatchOfEvent, tx: Tx): Promise<void> {
    if (anomalyId === null) return;
    // An anomaly that existed before is not a verdict on the past.
    const quiet = hasCreatedAnomaly ? {} : { quiet: false };
    const mark = { state: 'trained', closeReason: 'trained', matchId: id, ...quiet } as const;
    await this.anomalies.mark(orgId, anomalyId, mark, tx);
  }

  /** There is no verdict any more: an anomaly that a verdict created is removed completely. */
  async removeCreatedAnomaly({ id, orgId, anomalyId, hasCreatedAnomaly }: MatchOfEvent, tx: Tx): Promise<void> {
    if (!hasCreatedAnomaly) return;
    await this.matches.update(orgId, id, { anomalyId: null, hasCreatedAnomaly: false }, tx);
    if (anomalyId !== null) await this.anomalies.remove(orgId, anomalyId, tx);
  }

  /**
   * Appends the created matches to the event stream; those of backfilled history are only in the lists. Call it as the
   * last statement of the transaction.
   */
  announce(created: readonly CreatedMatch[], tx: Tx): Promise<void> {
    const live = created.filter(({ match }) => !match.event.backfill);
    return this.stream.append(
      live.map(({ id, match: { orgId, metricId } }) => {
        return { orgId, type: 'match.created', subjectId: id, metricId } as const;
      }),
      tx,
    );
  }

  private publishCreated(id: number, match: NewMatch, tx: Tx): void {
    const { orgId, metricId, patternId, startTimestamp: timestamp, event } = match;
    afterCommit(tx, () => {
      this.changes.publish([{ type: 'created', orgId, matchId: id, metricId, patternId, timestamp }]);
    });
    // Backfilled history would be listed above current events.
    if (event.backfill) return;
    this.events.record(
      {
        orgId,
        type: 'match_created',
        level: 'info',
        message: ({ metric }) => describedMatch(metric, match.explanation),
        metricId,
        ref: { kind: 'match', id: String(id) },
        details: { pattern_id: patternId, similarity: match.similarity, timestamp },
      },
      tx,
    );
  }
}

/** `web-1.cpu: Looks like "nightly backup" of October 9th 2025: 93% alike since …` */
const describedMatch = (metric: string | null, explanation: string): string =>
  metric === null ? explanation : `${metric}: ${explanation}`;

/** By pattern, ascending: the number of matches, and the newest of them. */
function countsOf(
  matches: readonly { patternId: number; startTimestamp: number }[],
): { id: number; count: number; at: number }[] {
  return [...groupedBy(matches, ({ patternId }) => patternId)]
    .map(([id, some]) => ({
      id,
      count: some.length,
      at: Math.max(...some.map(({ startTimestamp }) => startTimestamp)),
    }))
    .sort((a, b) => a.id - b.id);
}
