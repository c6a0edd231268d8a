import { Injectable } from '@nestjs/common';
import { AS_IT_WAS, likeness, prepare, type Shape } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { ProgressService } from '../../people/progress/progress.service.js';
import { DEFAULT_THRESHOLD, type PendingPattern } from '../../analysis/pattern/pattern.types.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { BuildContextService } from './build-context.service.js';
import { ShapeCutterService } from './shape-cutter.service.js';
import { TrainingRepository } from './training.repository.js';
import { byUser, ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';

const EVERY_MS = 1000;
const AT_ONCE = 20;

/**
 * Builds the patterns of trainings, each in one transaction: if a process dies, the request remains. A pattern of an
 * open anomaly waits until that is over, because its whole shape is only known then.
 */
@Injectable()
export class PatternBuilderService extends RecurringWork {
  constructor(
    private readonly trainings: TrainingRepository,
    private readonly context: BuildContextService,
    private readonly patterns: PatternDirectoryService,
    private readonly cutter: ShapeCutterService,
    private readonly progress: ProgressService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Patterns could not be built', logEvery: 60, role: 'detect' });
  }

  async run(): Promise<void> {
    for (const pending of await this.patterns.readyToBuild(AT_ONCE)) {
      if (this.isStopping) return;
      await this.build(pending);
    }
  }

  private async build(pending: PendingPattern): Promise<void> {
    const { orgId, metricId, anomalyId, duration } = pending;
    const found = await this.context.find(orgId, metricId);
    const anomaly = await this.trainings.anomaly(orgId, anomalyId);
    if (found === null || anomaly === null) return;
    const { metric, settings } = found;
    const { startTimestamp: start, endTimestamp: end } = anomaly;
    const shape = await this.cutter.cut(metric, { start, end }, duration, settings);
    if (!shape.fine.values.some(Number.isFinite)) {
      const message = 'There is no data left around the anomaly.';
      await this.patterns.failPending(orgId, pending.id, message);
      if (pending.progressId !== null) await this.progress.fail(orgId, pending.progressId, message);
      return;
    }
    const [history] = pending.positive ? [] : await this.context.findOccurrences(metric, [shape], settings, anomalyId);
    const { starts: knownStarts, habit } = history ?? { starts: [shape.partStart], habit: AS_IT_WAS };
    const similar = pending.positive ? [] : await this.findSimilar(orgId, metricId, shape);
    const starts = [...new Set([...knownStarts, ...similar.flatMap((like) => like.starts)])].sort((a, b) => a - b);
    const isCompanion = pending.origin === 'companion';
    const pattern = {
      orgId,
      metricId,
      anomalyId,
      trainingId: pending.trainingId,
      parentId: null,
      rootId: null,
      generation: 0,
      origin: pending.origin,
      creatorUserId: isCompanion ? null : pending.requestedBy,
      shape,
      starts,
      habit,
      anomalyValue: anomaly.value,
      label: pending.label,
      positive: pending.positive,
      shadow: isCompanion,
      learn: pending.learn,
      createdAt: new Date(this.clock.now() * 1000),
    };
    await this.transactions.run(async (tx) => {
      if (!(await this.patterns.lockPending(orgId, pending.id, tx))) return;
      const created = await this.patterns.create(pattern, tx);
      const likeIds = similar.map((like) => like.id);
      await this.patterns.addStarts(orgId, likeIds, [shape.partStart], tx);
      const left = await this.patterns.finishPending(pending, tx);
      const taught = similar.filter((like) => !like.starts.includes(shape.partStart)).map((like) => like.id);
      await this.patterns.announce(orgId, { created: [created.id], updated: [...created.disabled, ...taught] }, tx);
      const { progressId } = pending;
      if (progressId !== null) {
        await this.progress.step(orgId, progressId, `build_${String(duration)}`, undefined, tx);
        if (left === 0)
          await this.progress.finish(orgId, progressId, { message: 'The patterns are compared from now on' }, tx);
      }
      const by = pattern.creatorUserId === null ? {} : { userId: pattern.creatorUserId };
      const text: EventText = (names) => `A pattern${ofMetric(names)} was created${byUser(names)}`;
      this.patterns.report('pattern_created', { ...pattern, id: created.id }, text, by, tx);
    });
  }

  /** Trained patterns of the metric with the same shape, at any time: each may also start at the times of the other. */
  private async findSimilar(
    orgId: number,
    metricId: number,
    shape: Shape,
  ): Promise<{ id: number; starts: number[] }[]> {
    const { partStart: start, partEnd: end, fine } = shape;
    const newest = fine.start + (fine.values.length - 1) * fine.step;
    const candidate = { start, end, newest, fine, contexts: new Map() };
    return (await this.patterns.comparable(orgId, [metricId])).filter((other) => {
      if (other.positive || other.origin !== 'trained' || other.shape.fine.step !== fine.step) return false;
      const options = { threshold: DEFAULT_THRESHOLD, window: null, timezone: 'UTC' };
      return likeness(prepare(other.shape), candidate, options).alike;
    });
  }
}
