import { Injectable } from '@nestjs/common';
import { type Shape } from '#libs/patterns';
import { type KnownCaller } from '../../common/auth/caller.js';
import { DAY } from '../../common/time.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { type AnomalyDto } from '../../analysis/anomaly/anomaly.dto.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { type TrainParams } from './dto/training.params.js';
import { ShapeCutterService } from './shape-cutter.service.js';
import {
  NotEnoughDataError,
  NotTrainableError,
  TrainingExpiredError,
  AnomalyReferenceError,
} from './training.errors.js';

const WEEK = 7 * DAY;

/** The anomaly to train, and the lengths of its patterns. */
export interface TrainingTarget {
  anomaly: AnomalyDto & { id: number };
  metric: MetricRecord;
  settings: SeriesSettings;
  /** Seconds, ascending. */
  durations: number[];
}

/** Finds the target of a training, and whether it is possible. */
@Injectable()
export class TrainingTargetService {
  constructor(
    private readonly anomalies: AnomalyDetailsService,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly cutter: ShapeCutterService,
  ) {}

  /** @throws AnomalyReferenceError, NotTrainableError, TrainingExpiredError, NotEnoughDataError */
  async resolve(caller: KnownCaller, params: TrainParams): Promise<TrainingTarget> {
    const { anomaly } = await this.locate(caller, params);
    const { id } = anomaly;
    if (id === null) throw new NotTrainableError('not_recorded');
    const [metric] = await this.metrics.findByIds(caller.org.id, [anomaly.metric_id]);
    const settings = await this.orgs.getById(caller.org.id);
    const { trainable_status: status, durations: possible } = anomaly.training;
    if (status === 'expired') throw new TrainingExpiredError(id);
    // A trained anomaly may be trained for other lengths, and a training may be replaced by its opposite.
    const isOpenToTraining = ['trainable', 'confirmed', 'trained', 'pending'].includes(status);
    if (!isOpenToTraining && (params.expected || status === 'excluded' || status === 'not_permitted')) {
      throw new NotTrainableError(status as 'excluded');
    }
    const needsShape = params.expected || params.remember;
    const durations = needsShape ? wantedDurations(params, possible, settings.longTermPatternLengthSeconds) : [];
    return { anomaly: Object.assign(anomaly, { id }), metric: metric!, settings, durations };
  }

  /** The shapes as they would be stored. */
  async shapes({ anomaly, metric, settings, durations }: TrainingTarget): Promise<Shape[]> {
    const { timestamp: start, until_timestamp: end } = anomaly;
    const shapes: Shape[] = [];
    for (const duration of durations) shapes.push(await this.cutter.cut(metric, { start, end }, duration, settings));
    return shapes;
  }

  private locate(caller: KnownCaller, { anomaly_id: id, metric, timestamp }: TrainParams) {
    if (id !== undefined) {
      if (metric !== undefined || timestamp !== undefined) throw new AnomalyReferenceError();
      return this.anomalies.find(caller, id);
    }
    if (metric === undefined || timestamp === undefined) throw new AnomalyReferenceError();
    return this.anomalies.lookUp(caller, { metric, timestamp });
  }
}

/** @throws NotEnoughDataError */
function wantedDurations({ durations }: TrainParams, possible: readonly number[], longTerm: number): number[] {
  const lengths: Readonly<Record<string, number>> = { '24h': DAY, '7d': WEEK, '30d': longTerm };
  const named = durations?.map((text) => lengths[text] ?? Number(text));
  const wanted = [...new Set(named ?? [DAY, WEEK].filter((length) => possible.includes(length)))].sort((a, b) => a - b);
  const lacking = wanted.filter((length) => !possible.includes(length));
  if (wanted.length === 0 || lacking.length > 0) throw new NotEnoughDataError(lacking);
  return wanted;
}
