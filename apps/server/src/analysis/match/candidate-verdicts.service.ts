import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { date, dateTime } from '../../common/display/display.js';
import { AnomalyRecorder } from '../anomaly/anomaly-recording.service.js';
import { type ComparablePattern } from '../pattern/pattern.types.js';
import { Patterns } from '../pattern/patterns.service.js';
import { type Verdict } from './candidate-judge.service.js';
import { type CandidateRow } from './candidate.repository.js';
import { type Comparison } from './compare.js';
import { MatchActs, type MatchNews, noNews } from './match-acts.service.js';
import { MatchRepository, type NewMatch } from './match.repository.js';
import { type CandidateState } from './match.types.js';

/** Makes of the answer of a comparison a match or an anomaly. */
@Injectable()
export class CandidateVerdicts {
  constructor(
    private readonly patterns: Patterns,
    private readonly matches: MatchRepository,
    private readonly acts: MatchActs,
    private readonly anomalies: AnomalyRecorder,
  ) {}

  /** Answers the state in which the candidate goes on, null when it is over. */
  async apply(row: CandidateRow, verdict: Verdict, tx: Tx): Promise<{ state: CandidateState | null; news: MatchNews }> {
    const { orgId } = row;
    const news = noNews();
    // What is open is looked at again and again; it counts once.
    const counts = row.state === 'open' ? row.event.type === 'closed' : row.state !== 'matched';
    if (counts) this.patterns.noteChecks(orgId, verdict.patterns.keys());
    const chosen = await this.choose(row, verdict, tx);
    if (row.state === 'open') {
      await this.noteProblems(row, verdict, tx);
      return { state: 'open', news };
    }
    if (chosen === null) return this.toAnomaly(row, verdict, news, tx);
    const known = await this.matches.holdOfKey(orgId, row.metricId, row.startTimestamp, tx);
    if (known !== null) {
      const { startTimestamp: _, ...change } = toMatch(row, verdict, chosen);
      await this.matches.update(orgId, known.id, { ...change, anomalyId: known.anomalyId }, tx);
    } else {
      const anomaly = row.state === 'unconfirmed' ? await this.anomalies.findRow(row.event, tx) : null;
      await this.acts.create({ ...toMatch(row, verdict, chosen), anomalyId: anomaly?.id ?? null }, news, tx);
    }
    return { state: 'matched', news };
  }

  /** The verdict will not change any more: shadows are measured by it. */
  async finish(row: CandidateRow, verdict: Verdict, tx: Tx): Promise<void> {
    const shadows = verdict.comparisons.filter(({ patternId }) => verdict.patterns.get(patternId)?.shadow === true);
    const agreed = shadows.filter(({ alike }) => alike).map(({ patternId }) => patternId);
    const differed = shadows.filter(({ alike }) => !alike).map(({ patternId }) => patternId);
    await this.patterns.noteAgreement(row.orgId, { agreed, differed }, tx);
  }

  tell(news: MatchNews): void {
    this.acts.tell(news);
  }

  /** The pattern that is most alike, of those that are enabled now; held until `tx` ends. A known problem that is more alike wins. */
  private async choose(row: CandidateRow, { alike, problems }: Verdict, tx: Tx): Promise<Comparison | null> {
    const enabled = await this.patterns.holdEnabled(
      row.orgId,
      [...alike, ...problems].map(({ patternId }) => patternId),
      tx,
    );
    const best = alike.find(({ patternId }) => enabled.has(patternId));
    const problem = problems.find(({ patternId }) => enabled.has(patternId));
    if (best === undefined || (problem !== undefined && problem.similarity >= best.similarity)) return null;
    return best;
  }

  private async toAnomaly(
    row: CandidateRow,
    verdict: Verdict,
    news: MatchNews,
    tx: Tx,
  ): Promise<{ state: null; news: MatchNews }> {
    const match = await this.matches.holdOfKey(row.orgId, row.metricId, row.startTimestamp, tx);
    if (match !== null) await this.acts.withdraw(match, row.event, {}, news, tx);
    else if (row.state === 'unconfirmed') await this.anomalies.setUnconfirmed(row.event, false, tx);
    else news.anomalies.push(...(await this.anomalies.recordChecked([row.event], tx)));
    await this.noteProblems(row, verdict, tx);
    return { state: null, news };
  }

  private async noteProblems(row: CandidateRow, { problems }: Verdict, tx: Tx): Promise<void> {
    if (problems.length === 0) return;
    const anomaly = await this.anomalies.findRow(row.event, tx);
    const ids = problems.map(({ patternId }) => patternId);
    if (anomaly !== null) await this.patterns.noteResemblance(row.orgId, anomaly.id, ids, tx);
  }
}

function toMatch(row: CandidateRow, verdict: Verdict, chosen: Comparison): NewMatch {
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
    `Looks like ${name} of ${date(pattern.shape.partStart, timezone)}: ${String(percent)}% alike since ` +
    `${dateTime(onset, timezone)}, at a time at which it has been before, on its level and within its range ` +
    `(area ${areaPercent.toFixed(0)}% apart)`
  );
}
