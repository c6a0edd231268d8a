import { Injectable, Logger } from '@nestjs/common';
import { BASELINE_SLOTS, cutShape, type Habit, LEAD_SLOTS, TAIL_SLOTS } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { HOUR } from '../../common/time.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { PatternSeriesService } from '../../analysis/pattern/pattern-series.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type ComparablePattern, MAX_ENABLED_PER_METRIC } from '../../analysis/pattern/pattern.types.js';
import { type Choice } from './candidate-verdicts.service.js';
import { ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';

/** Maximum number of generations of derived patterns. */
const MAX_GENERATION = 3;
/** A shape that is more similar than this to a known one yields no new pattern. */
const NEW_BELOW = 0.985;
const REST_SECONDS = 12 * HOUR;

/**
 * Derives a pattern from a match that is alike, but not the same. It begins in shadow, and stays near a pattern that a
 * person has trained: the first one of its family must also be alike.
 */
@Injectable()
export class PatternLearningService {
  private readonly logger = new Logger(PatternLearningService.name);

  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly exclusions: ExclusionDirectoryService,
    private readonly patterns: PatternDirectoryService,
    private readonly series: PatternSeriesService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Learns from matches of one organisation that will not change any more. A failure is logged and does not delay a
   * check.
   */
  async learn(orgId: number, matches: readonly Choice[]): Promise<void> {
    const learnable = matches.map(learnableMatchOf).filter((match) => match !== null);
    if (learnable.length === 0) return;
    const since = new Date((this.clock.now() - REST_SECONDS) * 1000);
    try {
      const resting = await this.patterns.learntSince(
        orgId,
        [...new Set(learnable.map(({ metricId }) => metricId))],
        since,
      );
      for (const match of learnable) {
        if (resting.has(match.metricId)) continue;
        resting.add(match.metricId);
        await this.learnOne(orgId, match, since);
      }
    } catch (error) {
      this.logger.warn(`A similar shape could not be learnt: ${messageOf(error)}`);
    }
  }

  private async learnOne(
    orgId: number,
    { metricId, value, onset, slots, height, parent, rootId }: LearnableMatch,
    since: Date,
  ): Promise<void> {
    const [[metric], settings] = await Promise.all([this.metrics.findByIds(orgId, [metricId]), this.orgs.find(orgId)]);
    if (metric === undefined || settings === null) return;
    const { duration, fineStep: step, contextStep } = parent.frame;
    const end = onset + (slots - 1) * step;
    if (this.exclusions.learningMask(orgId, metric, settings.timezone)({ from: onset, until: end })) return;
    const around = { from: onset - LEAD_SLOTS * step, until: end + (TAIL_SLOTS + BASELINE_SLOTS) * step, step };
    const context = this.series.contextAround({ start: onset, duration, step: contextStep });
    const windows = [around, context].map((window) => ({ metric, ...window }));
    const [fineRead, contextRead] = await this.series.readAll(windows, settings);
    const family = [parent.id, rootId];
    await this.transactions.run(async (tx) => {
      if ((await this.patterns.lockEnabled(orgId, family, tx)).size < new Set(family).size) return;
      if ((await this.patterns.learntSince(orgId, [metricId], since, tx)).size > 0) return;
      const pattern = {
        orgId,
        metricId,
        anomalyId: null,
        trainingId: null,
        parentId: parent.id,
        rootId,
        generation: parent.generation + 1,
        origin: 'learnt',
        creatorUserId: null,
        shape: cutShape(duration, { start: onset, end }, { fine: fineRead!, context: contextRead! }),
        starts: [...new Set([...parent.starts, onset])],
        habit: habitOfInstance(parent, { slots, height }),
        anomalyValue: value,
        label: parent.label,
        positive: false,
        shadow: true,
        learn: true,
        createdAt: new Date(this.clock.now() * 1000),
      } as const;
      const { id, disabled } = await this.patterns.create(pattern, tx);
      await this.patterns.announce(orgId, { created: [id], updated: disabled }, tx);
      const text: EventText = (names) => `A similar shape${ofMetric(names)} was learnt; it is in shadow`;
      this.patterns.report('pattern_created', { ...pattern, id }, text, {}, tx);
    });
  }
}

/** A match from which a pattern may be learnt. */
interface LearnableMatch {
  metricId: number;
  value: number | null;
  /** Unix seconds. */
  onset: number;
  /** Number of slots of its part, and ratio of its height to that of its parent. */
  slots: number;
  height: number;
  parent: ComparablePattern;
  rootId: number;
}

/** The habit of a shape, from that of another shape of which it is an instance. */
function habitOfInstance(
  { frame, habit }: ComparablePattern,
  { slots, height }: Pick<LearnableMatch, 'slots' | 'height'>,
): Habit {
  const length = ((frame.partEnd - frame.partStart) / frame.fineStep + 1) / slots;
  return {
    instances: habit.instances + 1,
    shortest: Math.min(1, habit.shortest * length),
    longest: Math.max(1, habit.longest * length),
    lowest: Math.min(1, habit.lowest / height),
    highest: Math.max(1, habit.highest / height),
  };
}

function learnableMatchOf({ row: { metricId, event }, verdict: { alike, patterns } }: Choice): LearnableMatch | null {
  const best = alike[0];
  const parent = best && patterns.get(best.patternId);
  if (best === undefined || parent === undefined || !parent.learn || parent.generation >= MAX_GENERATION) return null;
  if (best.similarity >= NEW_BELOW) return null;
  // Only learnt patterns are replaced by others.
  const isFull = patterns.size >= MAX_ENABLED_PER_METRIC;
  if (isFull && ![...patterns.values()].some(({ origin }) => origin !== 'trained')) return null;
  const rootId = parent.rootId ?? parent.id;
  if (!alike.some(({ patternId }) => patternId === rootId)) return null;
  return { metricId, value: event.value, onset: best.onset, slots: best.slots, height: best.height, parent, rootId };
}
