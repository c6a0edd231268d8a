import { Injectable } from '@nestjs/common';
import { correlationOf, zDistance } from '#libs/patterns';
import { shownUnit } from '#libs/wording';
import { type KnownCaller } from '../../common/auth/caller.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { ExpectationService } from '../expectation/expectation.service.js';
import { AnomalyDetailsService } from './anomaly-details.service.js';
import { AnomalyVerdictRepository } from './anomaly-verdict.repository.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type AnomalyAnswerDto } from './dto/anomaly-answers.dto.js';
import { explanationOf, type LookAlike } from './verdict-text.js';

const EVERY_MS = 1000;
/** Maximum number explained in one round; each takes at most some tenths of a second of the replay thread. */
const ROUND = 20;
/** Number of slots before and after the start in the shape of an anomaly. */
const LEAD_SLOTS = 20;
const PART_SLOTS = 40;
export const SHAPE_SLOTS = LEAD_SLOTS + PART_SLOTS;
/** Minimum number of slots with a value in a shape. */
const KNOWN_SLOTS = LEAD_SLOTS + 3;
/** Maximum number of earlier anomalies of the metric that are compared. */
const MAX_COMPARED = 200;
/** Minimum correlation of an earlier anomaly that is mentioned. */
const MIN_SIMILARITY = 0.7;

/**
 * Explains anomalies soon after they have opened or closed, in the order of their recording: it repeats the verdict on
 * the stored series, and finds the changes that would have prevented it and the most similar earlier anomaly.
 */
@Injectable()
export class AnomalyVerdictsService extends RecurringWork {
  constructor(
    private readonly verdicts: AnomalyVerdictRepository,
    private readonly anomalies: AnomalyRepository,
    private readonly details: AnomalyDetailsService,
    private readonly metrics: MetricService,
    private readonly expectations: ExpectationService,
    private readonly orgs: OrgService,
  ) {
    super({
      everyMs: EVERY_MS,
      failure: 'The explanation of an anomaly could not be completed',
      role: 'api',
      logEvery: 60,
    });
  }

  async run(): Promise<void> {
    for (let done = 0; done < ROUND && !this.isStopping; done++) {
      const claimed = await this.verdicts.claimPendingOfAll();
      if (claimed === null) return;
      await this.account(claimed.orgId, claimed.anomalyId);
    }
  }

  /**
   * An anomaly with its surroundings and its explanation, for a person. It writes: an anomaly without an explanation,
   * such as one of backfilled history, gets one first, which is stored. Errors of that step are not reported to the
   * reader.
   * @throws AnomalyNotFoundError
   */
  async accountAndFind(caller: KnownCaller, anomalyId: number): Promise<AnomalyAnswerDto> {
    const { id: orgId } = caller.org;
    if (!(await this.verdicts.isAccounted(orgId, anomalyId))) {
      await this.account(orgId, anomalyId).catch((error: unknown) => {
        this.logger.debug(`Anomaly ${String(anomalyId)} is not accounted for: ${String(error)}`);
      });
    }
    return this.details.find(caller, anomalyId);
  }

  private async account(orgId: number, anomalyId: number): Promise<void> {
    const anomaly = await this.anomalies.find(orgId, anomalyId);
    if (!anomaly?.kind) return;
    const [[metric], settings] = await Promise.all([
      this.metrics.findByIds(orgId, [anomaly.metricId]),
      this.orgs.getById(orgId),
    ]);
    if (!metric) return;
    const { startTimestamp: start, endTimestamp: end, kind } = anomaly;
    const slot = metric.resolutionSeconds ?? 60;
    const wanted = {
      recorded: { start, end, kind },
      shape: { from: start - LEAD_SLOTS * slot, until: start + (PART_SLOTS - 1) * slot },
    };
    const found = await this.expectations.getAccount(metric, wanted, settings);
    const { account, slotSeconds, timezone } = found;
    const shape = shapeOf(found.timestamps, found.values, start, slot);
    const lookAlike = shape === null ? null : await this.lookAlike(metric, start, shape);
    const { counterfactual } = account;
    await this.verdicts.save(orgId, anomalyId, {
      parameters: { type: metric.type, slotSeconds, timezone },
      fromTimestamp: account.from,
      untilTimestamp: account.until,
      isReproduced: account.isReproduced,
      parts: account.parts,
      counterfactual,
      shape,
      lookAlikeId: lookAlike?.anomalyId ?? null,
      lookAlikeSimilarity: lookAlike?.similarity ?? null,
      explanation: explanationOf(anomaly, counterfactual, lookAlike, { timezone, unit: shownUnit(metric) }),
    });
  }

  /** The earlier anomaly of the metric with the most similar shape; null if none is similar. */
  private async lookAlike({ orgId, id }: MetricRecord, start: number, shape: number[]): Promise<LookAlike | null> {
    const earlier = await this.verdicts.earlierShapes(orgId, id, start, MAX_COMPARED);
    let best: LookAlike | null = null;
    for (const { shape: other, ...reference } of earlier) {
      if (other.length !== shape.length) continue;
      const similarity = correlationOf(zDistance(shape, other), shape.length);
      if (similarity >= MIN_SIMILARITY && similarity > (best?.similarity ?? 0)) best = { ...reference, similarity };
    }
    return best;
  }
}

/** Values by slot around the start; null if too few are known, or all are equal. */
function shapeOf(timestamps: Float64Array, values: Float64Array, start: number, slot: number): number[] | null {
  const shape = new Array<number>(SHAPE_SLOTS).fill(Number.NaN);
  timestamps.forEach((time, row) => {
    const place = LEAD_SLOTS + Math.floor((time - start) / slot);
    if (place >= 0 && place < SHAPE_SLOTS) shape[place] = values[row]!;
  });
  const known = shape.filter(Number.isFinite);
  return known.length < KNOWN_SLOTS || known.every((value) => value === known[0]) ? null : shape;
}
