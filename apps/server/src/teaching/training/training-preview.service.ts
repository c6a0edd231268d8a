import { Injectable } from '@nestjs/common';
import { type ShapeHistory, type Shape } from '#libs/patterns';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { CandidateSeriesService } from '../match/candidate-series.service.js';
import { CompareExecutorService } from '../match/compare-executor.service.js';
import {
  type ComparablePattern,
  DEFAULT_THRESHOLD,
  type PatternSet,
  type ShapeFrame,
} from '../../analysis/pattern/pattern.types.js';
import { type TrainingPreviewDto } from './dto/training-answers.dto.js';
import { BuildContextService } from './build-context.service.js';
import { ExampleExecutor } from './example-executor.js';
import { TrainingRepository } from './training.repository.js';
import { PREVIEW_DAYS } from './training.types.js';

const MAX_ANOMALIES = 200;
/** Number of days that the detector reads before the shape, so that it learns the weekdays. */
const HISTORY_DAYS = 14;

/** The effect that patterns would have had on the past, and will have on similar anomalies. Nothing is stored. */
@Injectable()
export class TrainingPreviewService {
  constructor(
    private readonly trainings: TrainingRepository,
    private readonly anomalies: AnomalyService,
    private readonly candidates: CandidateSeriesService,
    private readonly executor: CompareExecutorService,
    private readonly examples: ExampleExecutor,
    private readonly context: BuildContextService,
    private readonly clock: Clock,
  ) {}

  /** @throws OverloadedError, ClientGoneError */
  preview(
    caller: KnownCaller,
    metric: MetricRecord,
    anomalyId: number,
    shapes: readonly Shape[],
    settings: SeriesSettings,
  ): Promise<TrainingPreviewDto> {
    return this.examples.inTurn(caller.org.id, () => this.make(caller, metric, anomalyId, shapes, settings));
  }

  private async make(
    caller: KnownCaller,
    metric: MetricRecord,
    anomalyId: number,
    shapes: readonly Shape[],
    settings: SeriesSettings,
  ): Promise<TrainingPreviewDto> {
    const now = this.clock.now();
    const since = now - PREVIEW_DAYS * DAY;
    const past = await this.trainings.pastAnomalies(
      caller.org.id,
      { metricId: metric.id, since, exceptId: anomalyId },
      MAX_ANOMALIES,
    );
    const histories = await this.context.findOccurrences(metric, shapes, settings, anomalyId);
    const set = setOf(shapes, histories);
    const frames = shapes.map(frameOf);
    const wanted = past.map(({ startTimestamp: start, endTimestamp: end }) => ({ metric, start, end, frames }));
    const candidates = await this.candidates.readAll(wanted, { now, settings });
    const compared = await this.executor.compare(
      candidates.map((candidate) => ({ set, candidate, timezone: settings.timezone })),
      () => Promise.resolve(new Map([...set.patterns.keys()].map((id, i) => [id, shapes[i]!]))),
    );
    const similarities = new Map<number, number>();
    compared.forEach(({ alike }, i) => {
      if (alike.length > 0) similarities.set(past[i]!.id, Math.max(...alike.map(({ similarity }) => similarity)));
    });
    const refs = await this.anomalies.refs(
      caller,
      past.map(({ id }) => id),
    );
    const isMatch = ({ id }: { id: number | null }): boolean => id !== null && similarities.has(id);
    const known = metric.firstTimestamp === null ? 0 : (now - metric.firstTimestamp) / DAY;
    return {
      days: PREVIEW_DAYS,
      would_match: refs.filter(isMatch).map((ref) => Object.assign(ref, { similarity: similarities.get(ref.id!)! })),
      would_still_open: refs.filter((ref) => !isMatch(ref)),
      nights_checked: Math.max(0, Math.min(PREVIEW_DAYS, Math.floor(known))),
      examples: await this.tryExamples(metric, shapes, histories, settings),
    };
  }

  private async tryExamples(
    metric: MetricRecord,
    shapes: readonly Shape[],
    histories: readonly ShapeHistory[],
    settings: SeriesSettings,
  ) {
    const [first] = shapes;
    if (first === undefined) return [];
    const { step } = first.fine;
    const until = first.fine.start + first.fine.values.length * step - 1;
    const from = Math.max(first.partStart - HISTORY_DAYS * DAY, metric.firstTimestamp ?? 0);
    const history = await this.context.history(metric, { from, until, step }, settings);
    return this.examples.run({ shapes, histories, history, type: metric.type, timezone: settings.timezone });
  }
}

/** Shapes without a pattern have separate ids, because the thread caches its results by id. */
let lastPreviewId = 0;

function setOf(shapes: readonly Shape[], histories: readonly ShapeHistory[]): PatternSet {
  const patterns = new Map<number, ComparablePattern>();
  shapes.forEach((shape, i) => {
    const id = --lastPreviewId;
    patterns.set(id, {
      id,
      metricId: 0,
      rootId: null,
      parentId: null,
      generation: 0,
      origin: 'trained',
      label: '',
      positive: false,
      shadow: false,
      learn: false,
      validated: null,
      ...histories[i]!,
      threshold: DEFAULT_THRESHOLD,
      createdTimestamp: 0,
      frame: frameOf(shape),
    });
  });
  return { metricId: --lastPreviewId, stamp: 'preview', patterns };
}

const frameOf = ({ duration, partStart, partEnd, fine, context }: Shape): ShapeFrame => ({
  duration,
  partStart,
  partEnd,
  fineStep: fine.step,
  contextStep: context.step,
});
