import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { counted, duration as durationText } from '../../common/display/display.js';
import { DAY } from '../../common/time.js';
import { ProgressService } from '../../people/progress/progress.service.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { AnomalyNotFoundError } from '../../analysis/anomaly/anomaly.errors.js';
import { type PatternOrigin } from '../../analysis/pattern/pattern.types.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type TrainParams } from './dto/training.params.js';
import { type TrainingTarget } from './training-target.service.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { AlreadyTrainedError } from './training.errors.js';
import { type StoredTraining, TrainingRepository } from './training.repository.js';
import { byCaller, byUser, ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';

/**
 * Applies the changes of trainings, each in one transaction: if a process dies, a training is applied either completely
 * or not at all.
 */
@Injectable()
export class TrainingActsService {
  constructor(
    private readonly trainings: TrainingRepository,
    private readonly patterns: PatternDirectoryService,
    private readonly recorder: AnomalyRecordingService,
    private readonly progress: ProgressService,
    private readonly training: TrainingRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws AlreadyTrainedError */
  async requireNew(
    caller: KnownCaller,
    { anomaly, durations }: TrainingTarget,
    params: TrainParams,
    tx?: Tx,
  ): Promise<void> {
    if (!params.expected) return;
    const standing = (await this.trainings.ofAnomaly(caller.org.id, anomaly.id, tx)).filter(
      ({ undoneAt }) => undoneAt === null,
    );
    const lastRefusal = standing.findLastIndex(({ expected }) => !expected);
    const trained = new Set(standing.slice(lastRefusal + 1).flatMap((training) => training.durations));
    if (trained.size > 0 && durations.every((length) => trained.has(length))) throw new AlreadyTrainedError(anomaly.id);
  }

  /** Returns the progress of the build. */
  async expect(caller: KnownCaller, target: TrainingTarget, params: TrainParams): Promise<number | null> {
    const { anomaly, durations } = target;
    const { id: orgId } = caller.org;
    return this.transactions.run(async (tx) => {
      const trainingId = await this.begin(caller, target, params, tx);
      const mark = { state: 'trained', closeReason: 'trained', positive: false } as const;
      await this.recorder.mark(orgId, anomaly.id, mark, tx);
      const isAlone = durations.length === 1 && durations[0] === 7 * DAY;
      const wanted: [number, PatternOrigin][] = durations.map((length) => [length, 'trained']);
      if (isAlone) wanted.push([DAY, 'companion']);
      const progressId = await this.request(caller, target, { trainingId, params, wanted, positive: false }, tx);
      await this.training.record(
        caller,
        'anomaly.train',
        anomaly,
        { expected: true, durations, label: params.label },
        tx,
      );
      return progressId;
    });
  }

  /** A real problem: patterns trained from it no longer suppress anything. */
  async confirm(caller: KnownCaller, target: TrainingTarget, params: TrainParams): Promise<number | null> {
    const { anomaly, durations } = target;
    const { id: orgId } = caller.org;
    return this.transactions.run(async (tx) => {
      await this.recorder.lock(orgId, anomaly.id, tx);
      const trainings = await this.trainings.ofAnomaly(orgId, anomaly.id, tx);
      const remembered = rememberedOf(trainings);
      const rest = trainings.filter((training) => !remembered.includes(training));
      const ids = await this.patterns.ofTrainings(
        orgId,
        rest.map(({ id }) => id),
        tx,
      );
      const disabled: number[] = [];
      for (const id of ids) disabled.push(...(await this.patterns.disable(orgId, id, { children: true }, tx)));
      const trainingId = await this.begin(caller, target, params, tx);
      const isTrained = anomaly.state === 'trained';
      const state = isTrained ? 'open' : anomaly.state;
      const closeReason = isTrained ? (trainings[0]?.priorCloseReason ?? null) : anomaly.close_reason;
      await this.recorder.mark(orgId, anomaly.id, { state, closeReason, positive: true }, tx);
      const known = new Set(remembered.flatMap((training) => training.durations));
      const wanted = durations
        .filter((length) => !known.has(length))
        .map((length): [number, PatternOrigin] => [length, 'trained']);
      const progressId =
        wanted.length === 0
          ? null
          : await this.request(caller, target, { trainingId, params, wanted, positive: true }, tx);
      await this.training.record(
        caller,
        'anomaly.train',
        anomaly,
        { expected: false, durations, label: params.label },
        tx,
      );
      for (const pattern of await this.patterns.findByIds(orgId, disabled, tx)) {
        const text: EventText = (names) =>
          `The pattern${ofMetric(names)} is no longer compared: its anomaly was confirmed as a problem${byUser(names)}`;
        this.patterns.report('pattern_disabled', pattern, text, byCaller(caller), tx);
      }
      await this.patterns.announce(orgId, { updated: disabled }, tx);
      return progressId;
    });
  }

  private async begin(caller: KnownCaller, target: TrainingTarget, params: TrainParams, tx: Tx): Promise<number> {
    const { anomaly, durations } = target;
    const { id: orgId } = caller.org;
    const held = await this.recorder.lock(orgId, anomaly.id, tx);
    if (held === null) throw new AnomalyNotFoundError(anomaly.id);
    await this.requireNew(caller, target, params, tx);
    return this.trainings.insert(
      {
        orgId,
        anomalyId: anomaly.id,
        expected: params.expected,
        durations,
        label: params.label,
        trainedBy: caller.kind === 'user' ? caller.userId : null,
        trainedAt: new Date(this.clock.now() * 1000),
        priorState: held.state,
        priorCloseReason: held.closeReason,
        priorPositive: held.positive,
      },
      tx,
    );
  }

  private async request(
    caller: KnownCaller,
    { anomaly }: TrainingTarget,
    {
      trainingId,
      params,
      wanted,
      positive,
    }: { trainingId: number; params: TrainParams; wanted: readonly [number, PatternOrigin][]; positive: boolean },
    tx: Tx,
  ): Promise<number> {
    const { id: orgId } = caller.org;
    const requestedBy = caller.kind === 'user' ? caller.userId : null;
    const isOver = anomaly.until_timestamp !== null;
    const progressId = await this.progress.create(
      {
        orgId,
        userId: requestedBy,
        type: 'training',
        title: `Building ${counted(wanted.length, 'pattern')}`,
        status: 'queued',
        message: isOver ? '' : 'Waits for the end of the anomaly',
        steps: wanted.map(([length]) => ({ key: `build_${String(length)}`, title: `${durationText(length)} pattern` })),
      },
      tx,
    );
    await this.patterns.request(
      wanted.map(([duration, origin]) => ({
        orgId,
        metricId: anomaly.metric_id,
        anomalyId: anomaly.id,
        trainingId,
        duration,
        origin,
        label: params.label,
        positive,
        learn: params.learn,
        status: isOver ? 'queued' : 'waiting_for_data',
        message: isOver ? null : 'It is built once the anomaly is over: only then is its whole shape known.',
        requestedBy,
        requestedAt: new Date(this.clock.now() * 1000),
        progressId,
      })),
      tx,
    );
    return progressId;
  }
}

/**
 * Confirmations since an anomaly was last marked as expected, oldest first: the state that they stored is still valid.
 */
function rememberedOf(trainings: readonly StoredTraining[]): StoredTraining[] {
  const standing = trainings.filter(({ undoneAt }) => undoneAt === null);
  return standing.slice(standing.findLastIndex(({ expected }) => expected) + 1);
}
