import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type ComparablePattern } from '../pattern/pattern.types.js';
import { Patterns } from '../pattern/patterns.service.js';
import { CandidateSeries } from './candidate-series.service.js';
import { type CandidateRow } from './candidate.repository.js';
import { CompareExecutor } from './compare-executor.service.js';
import { type Comparison } from './compare.js';

/** What the comparison of a candidate says. */
export interface Verdict {
  patterns: ReadonlyMap<number, ComparablePattern>;
  comparisons: readonly Comparison[];
  /** Alike ones that keep anomalies back, the most alike first. */
  alike: readonly Comparison[];
  /** Known problems that it looks like. */
  problems: readonly Comparison[];
  timezone: string;
  /** Newest slot that was known, and when all that is compared is known; null without an alike pattern. Unix seconds. */
  newest: number;
  completeAt: number | null;
  stepSeconds: number;
}

/** Compares a candidate with the patterns of its metric; changes nothing. */
@Injectable()
export class CandidateJudge {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly patterns: Patterns,
    private readonly series: CandidateSeries,
    private readonly executor: CompareExecutor,
    private readonly clock: Clock,
  ) {}

  async judge({ orgId, metricId, event }: CandidateRow): Promise<Verdict> {
    const [[metric], org, patterns] = await Promise.all([
      this.metrics.findByIds(orgId, [metricId]),
      this.orgs.find(orgId),
      this.patterns.comparable(orgId, [metricId]),
    ]);
    const none = { patterns: new Map(), comparisons: [], alike: [], problems: [], newest: 0, completeAt: null };
    const stepSeconds = org?.retention1ResolutionSeconds ?? 60;
    const timezone = org?.timezone ?? 'UTC';
    if (metric === undefined || org === null || patterns.length === 0) return { ...none, timezone, stepSeconds };
    const { startTimestamp: start, endTimestamp: end } = event;
    const shapes = patterns.map(({ shape }) => shape);
    const candidate = await this.series.read(metric, { start, end }, shapes, { now: this.clock.now(), settings: org });
    const comparisons = await this.executor.compare(patterns, candidate, timezone);
    const byId = new Map(patterns.map((pattern) => [pattern.id, pattern]));
    const found = comparisons
      .filter(({ alike }) => alike)
      .sort((a, b) => b.similarity - a.similarity || a.patternId - b.patternId);
    const isTrusted = ({ patternId }: Comparison): boolean => {
      const { shadow, positive } = byId.get(patternId)!;
      return !shadow && !positive;
    };
    const alike = found.filter(isTrusted);
    return {
      patterns: byId,
      comparisons,
      alike,
      problems: found.filter(({ patternId }) => byId.get(patternId)!.positive),
      timezone,
      newest: candidate.newest,
      completeAt: alike[0]?.completeAt ?? null,
      stepSeconds: Math.max(stepSeconds, candidate.fine.step),
    };
  }
}
