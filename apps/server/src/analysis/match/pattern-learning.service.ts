import { Injectable } from '@nestjs/common';
import { BASELINE_SLOTS, cutShape, LEAD_SLOTS, TAIL_SLOTS } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { HOUR } from '../../common/time.js';
import { ExclusionDirectory } from '../../data/exclusion/exclusion-directory.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { PatternSeries } from '../pattern/pattern-series.service.js';
import { Patterns } from '../pattern/patterns.service.js';
import { type Verdict } from './candidate-judge.service.js';
import { type CandidateRow } from './candidate.repository.js';

const LEARNING_TYPE_ID = 2;
/** Children of children are not followed further. */
const MAX_GENERATION = 3;
/** What is nearer than this to what is known teaches nothing. */
const NEW_BELOW = 0.985;
const REST_SECONDS = 12 * HOUR;

/**
 * Derives a pattern from a match that is alike, but not the same. It begins in shadow, and stays near to what a person has
 * trained: the first of its family must be alike, too.
 */
@Injectable()
export class PatternLearning {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly exclusions: ExclusionDirectory,
    private readonly patterns: Patterns,
    private readonly series: PatternSeries,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async learn({ orgId, metricId, event }: CandidateRow, { alike, patterns }: Verdict): Promise<void> {
    const best = alike[0];
    const parent = best && patterns.get(best.patternId);
    if (best === undefined || parent === undefined || !parent.learn || parent.generation >= MAX_GENERATION) return;
    if (best.similarity >= NEW_BELOW) return;
    const rootId = parent.rootId ?? parent.id;
    if (!alike.some(({ patternId }) => patternId === rootId)) return;
    const [[metric], settings] = await Promise.all([this.metrics.findByIds(orgId, [metricId]), this.orgs.find(orgId)]);
    if (metric === undefined || settings === null) return;
    if (this.exclusions.findCovering(orgId, metric).some(({ typeId }) => typeId === LEARNING_TYPE_ID)) return;
    const { step } = parent.shape.fine;
    const start = best.onset;
    const end = start + (parent.shape.partEnd - parent.shape.partStart);
    const around = { from: start - LEAD_SLOTS * step, until: end + (TAIL_SLOTS + BASELINE_SLOTS) * step, step };
    const fine = await this.series.read(metric, around, settings);
    const { duration } = parent.shape;
    const context = await this.series.context(metric, { start, duration, step: parent.shape.context.step }, settings);
    const now = this.clock.now();
    const made = await this.transactions.run(async (tx) => {
      if ((await this.patterns.holdEnabled(orgId, [parent.id, rootId], tx)).size < new Set([parent.id, rootId]).size)
        return null;
      if (await this.patterns.hasLearntSince(orgId, metricId, new Date((now - REST_SECONDS) * 1000), tx)) return null;
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
        shape: cutShape(duration, { start, end }, { fine, context }),
        starts: [...new Set([...parent.starts, start])],
        anomalyValue: event.value,
        label: parent.label,
        positive: false,
        shadow: true,
        learn: true,
        createdAt: new Date(now * 1000),
      } as const;
      return { ...pattern, id: await this.patterns.create(pattern, tx) };
    });
    if (made !== null) this.patterns.report('pattern_created', made, 'A similar shape was learnt; it is in shadow');
  }
}
