import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { counted } from '../../common/display/display.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { type AcknowledgedDto } from './dto/training-answers.dto.js';
import { type AcknowledgeParams } from './dto/training.params.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { NotOpenError } from './training.errors.js';
import { ofMetric, byUser } from '../../platform/event/event.functions.js';

/** A person takes care of an anomaly: no further alerts until it closes. */
@Injectable()
export class AcknowledgementService {
  constructor(
    private readonly anomalies: AnomalyDetailsService,
    private readonly recorder: AnomalyRecordingService,
    private readonly incidents: IncidentService,
    private readonly training: TrainingRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws AnomalyNotFoundError, NotOpenError */
  async acknowledge(caller: KnownCaller, id: number, params: AcknowledgeParams): Promise<AcknowledgedDto> {
    const { id: orgId } = caller.org;
    const { anomaly } = await this.anomalies.find(caller, id);
    if (anomaly.state !== 'open') throw new NotOpenError(id);
    const { acknowledged, note } = params;
    // An anomaly that is already acknowledged keeps its note.
    const companions = params.incident
      ? await this.incidents.openCompanions(orgId, id, { acknowledged: !acknowledged })
      : [];
    const taught = { id, metric_id: anomaly.metric_id, metric: anomaly.metric };
    if (
      companions.length === 0 &&
      acknowledged === (anomaly.acknowledged_at !== null) &&
      (!acknowledged || note === (anomaly.acknowledge_note ?? ''))
    ) {
      return { anomaly, acknowledged_ids: acknowledged ? [id] : [], message: 'OK' };
    }
    const userId = caller.kind === 'user' ? caller.userId : null;
    const by = acknowledged ? { userId, at: this.clock.now(), note } : null;
    const ids = await this.transactions.run(async (tx) => {
      const done = await this.recorder.acknowledge(orgId, [id, ...companions], by, tx);
      if (!done.includes(id)) throw new NotOpenError(id);
      await this.training.record(
        caller,
        'anomaly.acknowledge',
        taught,
        { acknowledged, note, incident: params.incident },
        tx,
      );
      return done;
    });
    const others = ids.length > 1 ? ` with ${counted(ids.length - 1, 'other')} of its incident` : '';
    await this.training.report(caller, 'anomaly_acknowledged', taught, (names) =>
      acknowledged
        ? `The anomaly${ofMetric(names)} was acknowledged${byUser(names)}${others}${note === '' ? '' : `: ${note}`}.`
        : `The acknowledgement of the anomaly${ofMetric(names)} was undone${byUser(names)}.`,
    );
    const after = (await this.anomalies.find(caller, id)).anomaly;
    return { anomaly: after, acknowledged_ids: acknowledged ? ids.sort((a, b) => a - b) : [], message: 'OK' };
  }
}
