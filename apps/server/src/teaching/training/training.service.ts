import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { type TrainedDto, type UntrainedDto } from './dto/training-answers.dto.js';
import { type TrainParams } from './dto/training.params.js';
import { TrainingActsService } from './training-acts.service.js';
import { TrainingPreviewService } from './training-preview.service.js';
import { TrainingTargetService } from './training-target.service.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { UntrainingService } from './untraining.service.js';

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
    const message = params.expected ? 'The anomaly was called expected.' : 'The anomaly was confirmed as a problem.';
    await this.training.report(caller, params.expected ? 'anomaly_trained' : 'anomaly_confirmed', anomaly, message);
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
