import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { date, dateTime } from '../../common/display/display.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { type ComparablePattern } from '../../analysis/pattern/pattern.types.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type Verdict } from './candidate-judge.service.js';
import { type CandidateRow, keyOf } from './candidate.repository.js';
import { type Comparison } from './compare.js';
import { type CreatedMatch, MatchActsService } from './match-acts.service.js';
import { type MatchOfEvent, MatchRepository, type NewMatch } from './match.repository.js';
import { type CandidateState } from './match.types.js';

/** A candidate, the result of its comparison, and the matching pattern: null if there is none. */
export interface Choice {
  row: CandidateRow;
  verdict: Verdict;
  chosen: Comparison | null;
}

/** Converts the results of comparisons to matches and anomalies, for all candidates of one organisation together. */
@Injectable()
export class CandidateVerdictsService {
  constructor(
    private readonly patterns: PatternDirectoryService,
    private readonly matches: MatchRepository,
    private readonly acts: MatchActsService,
    private readonly anomalies: AnomalyRecordingService,
  ) {}

  /**
   * For each candidate, chooses the most alike of the currently enabled patterns, which are locked until `tx` ends. A
   * known problem that is more alike wins.
   */
  async choose(orgId: number, judged: readonly Omit<Choice, 'chosen'>[], tx: Tx): Promise<Choice[]> {
    const enabled = new Set<number>();
    const disabled = new Set<number>();
    const firstOf = (found: readonly Comparison[]): number | undefined =>
      found.find(({ patternId }) => !disabled.has(patternId))?.patternId;
    // Only patterns that may be chosen are locked: the first of hundreds of similar ones, unless it has been disabled
    // in the meantime.
    for (;;) {
      const firsts = judged.flatMap(({ verdict }) => [firstOf(verdict.alike), firstOf(verdict.problems)]);
      const asked = [...new Set(firsts)].filter((id) => id !== undefined).filter((id) => !enabled.has(id));
      if (asked.length === 0) break;
      const held = await this.patterns.lockEnabled(orgId, asked, tx);
      for (const id of asked) (held.has(id) ? enabled : disabled).add(id);
    }
    return judged.map(({ row, verdict }) => {
      const best = verdict.alike.find(({ patternId }) => enabled.has(patternId));
      const problem = verdict.problems.find(({ patternId }) => enabled.has(patternId));
      const isProblem = best !== undefined && problem !== undefined && problem.similarity >= best.similarity;
      return { row, verdict, chosen: best === undefined || isProblem || row.state === 'open' ? null : best };
    });
  }

  /** The next state of a candidate; null if it has ended. */
  stateAfter({ row, chosen }: Choice): CandidateState | null {
    if (row.state === 'open') return 'open';
    return chosen === null ? null : 'matched';
  }

  /** Returns the created matches. */
  async apply(orgId: number, choices: readonly Choice[], tx: Tx): Promise<CreatedMatch[]> {
    const kept = choices.filter(({ row }) => row.state !== 'open');
    const held = await this.matches.lockOfKeys(
      orgId,
      kept.map(({ row }) => row),
      tx,
    );
    const known = new Map(held.map((match) => [keyOf(match), match]));
    const isMatch = ({ chosen }: Choice): boolean => chosen !== null;
    const created = await this.toMatches(orgId, kept.filter(isMatch), known, tx);
    await this.toAnomalies(
      kept.filter((choice) => !isMatch(choice)),
      known,
      tx,
    );
    await this.noteProblems(orgId, choices, tx);
    afterCommit(tx, () => {
      this.noteChecks(orgId, choices);
    });
    return created;
  }

  /**
   * For verdicts that will not change any more: patterns in shadow are measured by them. Returns the patterns that are
   * trusted from now on.
   */
  finish(orgId: number, choices: readonly Choice[], tx: Tx): Promise<number[]> {
    return this.patterns.noteAgreements(
      orgId,
      choices.map(({ verdict }) => verdict.shadows),
      tx,
    );
  }

  /** Appends the created matches and the newly trusted patterns to the event stream; the last statement of `tx`. */
  async announce(orgId: number, created: readonly CreatedMatch[], trusted: readonly number[], tx: Tx): Promise<void> {
    await this.acts.announce(created, tx);
    await this.patterns.announce(orgId, { updated: trusted }, tx);
  }

  private noteChecks(orgId: number, choices: readonly Choice[]): void {
    for (const { row, verdict } of choices) {
      // Open candidates are compared repeatedly, but count once.
      const counts = row.state === 'open' ? row.event.type === 'closed' : row.state !== 'matched';
      if (counts) this.patterns.noteChecks(orgId, verdict.patterns.keys());
    }
  }

  private async toMatches(
    orgId: number,
    choices: readonly Choice[],
    known: ReadonlyMap<string, MatchOfEvent>,
    tx: Tx,
  ): Promise<CreatedMatch[]> {
    const renewed: { known: MatchOfEvent; match: NewMatch }[] = [];
    const fresh: Choice[] = [];
    for (const choice of choices) {
      const match = known.get(keyOf(choice.row));
      if (match === undefined) fresh.push(choice);
      else renewed.push({ known: match, match: toMatch(choice) });
    }
    await this.acts.renew(orgId, renewed, tx);
    const unconfirmed = fresh.filter(({ row }) => row.state === 'unconfirmed').map(({ row }) => row.event);
    const opened = unconfirmed.length === 0 ? [] : await this.anomalies.findRows(unconfirmed, tx);
    const ids = new Map(opened.map((row) => [keyOf(row), row.id]));
    const matches = fresh.map((choice) => ({ ...toMatch(choice), anomalyId: ids.get(keyOf(choice.row)) ?? null }));
    return this.acts.create(orgId, matches, tx);
  }

  private async toAnomalies(
    choices: readonly Choice[],
    known: ReadonlyMap<string, MatchOfEvent>,
    tx: Tx,
  ): Promise<void> {
    const confirmed: AnomalyEvent[] = [];
    const found: AnomalyEvent[] = [];
    for (const { row } of choices) {
      const match = known.get(keyOf(row));
      if (match !== undefined) await this.acts.withdraw(match, row.event, {}, tx);
      else (row.state === 'unconfirmed' ? confirmed : found).push(row.event);
    }
    if (confirmed.length > 0) await this.anomalies.setUnconfirmed(confirmed, false, tx);
    await this.anomalies.recordChecked(found, tx);
  }

  private async noteProblems(orgId: number, choices: readonly Choice[], tx: Tx): Promise<void> {
    const alike = choices.filter(({ chosen, verdict }) => chosen === null && verdict.problems.length > 0);
    if (alike.length === 0) return;
    const rows = await this.anomalies.findRows(
      alike.map(({ row }) => row.event),
      tx,
    );
    const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
    const pairs = alike.flatMap(({ row, verdict }) => {
      const anomalyId = ids.get(keyOf(row));
      if (anomalyId === undefined) return [];
      return verdict.problems.map(({ patternId }) => ({ anomalyId, patternId }));
    });
    if (pairs.length > 0) await this.patterns.noteResemblances(orgId, pairs, tx);
  }
}

function toMatch({ row, verdict, chosen: choice }: Choice): NewMatch {
  const chosen = choice!;
  const pattern = verdict.patterns.get(chosen.patternId)!;
  return {
    orgId: row.orgId,
    metricId: row.metricId,
    patternId: chosen.patternId,
    startTimestamp: row.startTimestamp,
    matchType: chosen.context === null ? 'motif' : 'shape',
    similarity: chosen.similarity,
    distance: chosen.distance,
    shapeIndex: chosen.index,
    windowStart: chosen.from,
    windowSlots: chosen.size,
    areaPercent: chosen.areaPercent,
    explanation: sentence(pattern, chosen, verdict.timezone),
    event: row.event,
    anomalyId: null,
  };
}

function sentence(
  pattern: ComparablePattern,
  { similarity, onset, areaPercent }: Comparison,
  timezone: string,
): string {
  const name = pattern.label === '' ? `pattern ${String(pattern.id)}` : `"${pattern.label}"`;
  const percent = Math.floor(similarity * 100);
  return (
    `Looks like ${name} of ${date(pattern.frame.partStart, timezone)}: ${String(percent)}% alike since ` +
    `${dateTime(onset, timezone)}, at a time at which it occurred before, at its level and within its range ` +
    `(area ${areaPercent.toFixed(0)}% apart)`
  );
}
