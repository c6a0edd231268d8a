import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type ComparablePattern, type PatternSet, type ShapeFrame } from '../../analysis/pattern/pattern.types.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { CandidateSeriesService } from './candidate-series.service.js';
import { type CandidateRow } from './candidate.repository.js';
import { CompareExecutorService } from './compare-executor.service.js';
import { type Compared, type Comparison } from './compare.js';

/** The result of the comparison of a candidate. */
export interface Verdict {
  /** All enabled patterns. */
  patterns: ReadonlyMap<number, ComparablePattern>;
  /** Alike patterns that suppress anomalies, the most alike first. */
  alike: readonly Comparison[];
  /** Known problems that the candidate resembles. */
  problems: readonly Comparison[];
  /** Results of patterns in shadow. */
  shadows: { agreed: readonly number[]; differed: readonly number[] };
  timezone: string;
  /**
   * Newest known slot, and the time at which all compared data will be known; null if no pattern is alike. Unix
   * seconds.
   */
  newest: number;
  completeAt: number | null;
  stepSeconds: number;
}

const NO_PATTERNS: ReadonlyMap<number, ComparablePattern> = new Map();

/** Properties of a set of patterns that are the same for all of its candidates. */
interface SetFacts {
  /** The different layouts of its patterns: hundreds of patterns of one job share one. */
  frames: readonly ShapeFrame[];
  shadows: readonly number[];
}

/** Compares candidates with the patterns of their metrics; changes nothing. */
@Injectable()
export class CandidateJudgeService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly patterns: PatternDirectoryService,
    private readonly series: CandidateSeriesService,
    private readonly executor: CompareExecutorService,
    private readonly clock: Clock,
  ) {}

  private readonly facts = new WeakMap<PatternSet, SetFacts>();

  /** Verdicts on candidates of one organisation, in their order: their data is read together. */
  async judgeAll(orgId: number, rows: readonly CandidateRow[]): Promise<Verdict[]> {
    const metricIds = [...new Set(rows.map(({ metricId }) => metricId))];
    const [metrics, org, sets] = await Promise.all([
      this.metrics.findByIds(orgId, metricIds),
      this.orgs.find(orgId),
      this.patterns.comparableSets(orgId, metricIds),
    ]);
    const stepSeconds = org?.retention1ResolutionSeconds ?? 60;
    const timezone = org?.timezone ?? 'UTC';
    const byId = new Map(metrics.map((metric) => [metric.id, metric]));
    const wanted = rows.flatMap(({ metricId, event }, place) => {
      const [metric, set] = [byId.get(metricId), sets.get(metricId)];
      if (metric === undefined || set === undefined) return [];
      const { frames } = this.factsOf(set);
      return [{ place, set, metric, start: event.startTimestamp, end: event.endTimestamp, frames }];
    });
    const verdicts = rows.map((): Verdict => {
      const none = { alike: [], problems: [], shadows: { agreed: [], differed: [] }, newest: 0, completeAt: null };
      return { patterns: NO_PATTERNS, ...none, timezone, stepSeconds };
    });
    if (org === null || wanted.length === 0) return verdicts;
    const candidates = await this.series.readAll(wanted, { now: this.clock.now(), settings: org });
    const compared = await this.executor.compare(
      wanted.map(({ set }, i) => ({ set, candidate: candidates[i]!, timezone })),
      (ids) => this.patterns.shapes(orgId, ids),
    );
    wanted.forEach(({ place, set }, i) => {
      const { newest, fine } = candidates[i]!;
      const known = { timezone, newest, stepSeconds: Math.max(stepSeconds, fine.step) };
      verdicts[place] = { ...known, ...sorted(set, this.factsOf(set).shadows, compared[i]!) };
    });
    return verdicts;
  }

  private factsOf(set: PatternSet): SetFacts {
    let facts = this.facts.get(set);
    if (facts === undefined) this.facts.set(set, (facts = readFacts(set)));
    return facts;
  }
}

function readFacts({ patterns }: PatternSet): SetFacts {
  const frames = new Map<string, ShapeFrame>();
  const shadows: number[] = [];
  for (const { id, frame, shadow } of patterns.values()) {
    if (shadow) shadows.push(id);
    const { duration, partStart, partEnd, fineStep, contextStep } = frame;
    const key = [duration, partEnd - partStart, fineStep, contextStep].join(' ');
    if (!frames.has(key)) frames.set(key, frame);
  }
  return { frames: [...frames.values()], shadows };
}

function sorted({ patterns }: PatternSet, shadows: readonly number[], { alike: found, skipped }: Compared) {
  const isShadow = (id: number): boolean => patterns.get(id)!.shadow;
  const all = found.toSorted((a, b) => b.similarity - a.similarity || a.patternId - b.patternId);
  const problems = all.filter(({ patternId }) => patterns.get(patternId)!.positive);
  const alike = all.filter(({ patternId }) => !isShadow(patternId) && !patterns.get(patternId)!.positive);
  const agreed = all.map(({ patternId }) => patternId).filter(isShadow);
  const unlike = new Set([...agreed, ...skipped]);
  const differed = shadows.filter((id) => !unlike.has(id));
  return { patterns, alike, problems, shadows: { agreed, differed }, completeAt: alike[0]?.completeAt ?? null };
}
