import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { AnomalyNotFoundError } from '../../analysis/anomaly/anomaly.errors.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { MatchDirectoryService } from '../match/match-directory.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { NothingTrainedError } from './training.errors.js';
import { TrainingRepository } from './training.repository.js';

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
