import { Injectable } from '@nestjs/common';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { AnomalyNotFoundError } from '../../analysis/anomaly/anomaly.errors.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { MatchDirectoryService } from '../match/match-directory.service.js';
import { type TrainedDto, type UntrainedDto } from './dto/training-answers.dto.js';
import { type TrainParams } from './dto/training.params.js';
import { TrainingActsService } from './training-acts.service.js';
import { TrainingPreviewService } from './training-preview.service.js';
import { TrainingTargetService } from './training-target.service.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { NothingTrainedError } from './training.errors.js';
import { TrainingRepository } from './training.repository.js';
import { ofMetric, byUser } from '../../platform/event/event.functions.js';

/** Undoes trainings, with everything derived from them. */
@Injectable()
export class UntrainingService {
  constructor(
    private readonly trainings: TrainingRepository,
    private readonly patterns: PatternDirectoryService,
    private readonly matches: MatchDirectoryService,
    private readonly recorder: AnomalyRecordingService,
    private readonly training: TrainingRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Returns the ids of the deleted patterns. @throws AnomalyNotFoundError, NothingTrainedError */
  async undo(caller: KnownCaller, id: number): Promise<number[]> {
    const { id: orgId } = caller.org;
    return this.transactions.run(async (tx) => {
      const held = await this.recorder.lock(orgId, id, tx);
      if (held === null) throw new AnomalyNotFoundError(id);
      const all = await this.trainings.ofAnomaly(orgId, id, tx);
      if (all.length === 0) throw new NothingTrainedError(id);
      const standing = all.filter(({ undoneAt }) => undoneAt === null);
      const [first] = standing;
      if (first === undefined) return [];
      const trainingIds = standing.map((training) => training.id);
      const patternIds = await this.patterns.ofTrainings(orgId, trainingIds, tx);
      await this.matches.withdrawOfPatterns(orgId, patternIds, tx);
      await this.patterns.removeOfTrainings(orgId, trainingIds, patternIds, tx);
      await this.trainings.markUndone(orgId, trainingIds, new Date(this.clock.now() * 1000), tx);
      const { priorState: state, priorCloseReason: closeReason, priorPositive: positive } = first;
      await this.recorder.mark(orgId, id, { state, closeReason, positive, quiet: true }, tx);
      const object = { id, metric_id: held.metricId, metric: '' };
      await this.training.record(caller, 'anomaly.untrain', object, { removed_pattern_ids: patternIds }, tx);
      return patternIds;
    });
  }
}

/** Accepts verdicts of people on an anomaly: expected, or a real problem. */
@Injectable()
export class TrainingService {
  constructor(
    private readonly targets: TrainingTargetService,
    private readonly previews: TrainingPreviewService,
    private readonly acts: TrainingActsService,
    private readonly anomalies: AnomalyDetailsService,
    private readonly training: TrainingRecorderService,
    private readonly untraining: UntrainingService,
  ) {}

  async train(caller: KnownCaller, params: TrainParams): Promise<TrainedDto> {
    const target = await this.targets.resolve(caller, params);
    const { anomaly, metric, settings } = target;
    await this.acts.requireNew(caller, target, params);
    const shapes = params.expected ? await this.targets.shapes(target) : [];
    const preview = params.expected ? await this.previews.preview(caller, metric, anomaly.id, shapes, settings) : null;
    if (params.dry_run) {
      return { anomaly, pending_patterns: [], progress_id: null, preview, message: 'Nothing was stored' };
    }
    const progressId = params.expected
      ? await this.acts.expect(caller, target, params)
      : await this.acts.confirm(caller, target, params);
    await this.training.report(
      caller,
      params.expected ? 'anomaly_trained' : 'anomaly_confirmed',
      anomaly,
      (names) =>
        `The anomaly${ofMetric(names)} was ${params.expected ? 'marked as expected' : 'confirmed as a problem'}${byUser(names)}.`,
    );
    const after = (await this.anomalies.find(caller, anomaly.id)).anomaly;
    return {
      anomaly: after,
      pending_patterns: after.pending_patterns,
      progress_id: progressId,
      preview,
      message: 'OK',
    };
  }

  /** @throws AnomalyNotFoundError, NothingTrainedError */
  async untrain(caller: KnownCaller, id: number): Promise<UntrainedDto> {
    const removed = await this.untraining.undo(caller, id);
    const { anomaly } = await this.anomalies.find(caller, id);
    return { anomaly, removed_pattern_ids: removed, message: 'OK' };
  }
}
