import { Injectable } from '@nestjs/common';
import {
  BASELINE_SLOTS,
  type Candidate,
  type Habit,
  habitOf,
  LEAD_SLOTS,
  likeness,
  prepare,
  type PreparedShape,
  type Shape,
  START_TOLERANCE,
  startWindow,
  TAIL_SLOTS,
  timeOfDay,
} from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeriesService } from '../../analysis/pattern/pattern-series.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { DEFAULT_THRESHOLD } from '../../analysis/pattern/pattern.types.js';
import { BuildContextService } from './build-context.service.js';
import { ShapeCutterService } from './shape-cutter.service.js';
import { type RecurringAnomaly, TrainingRepository } from './training.repository.js';

/** Words in names whose rise is a problem, however often it recurs. */
const ERROR_WORDS =
  /(?:^|[^a-z0-9])(?:err(?:or)?s?|fail(?:ed|ures?|ing|s)?|faults?|exceptions?|time-?outs?|panics?|crash(?:es|ed)?|reject(?:ed|ions?|s)?|drop(?:ped|s)?|lost|loss|unavailable|5xx|5\d\d|oom|kill(?:ed|s)?|deadlocks?|dead|retransmit(?:s|ted)?)(?![a-z0-9])/;

/** Minimum number of occurrences of a shape, each on a different day. */
const ENOUGH_DAYS = 3;
/** Number of days of history that are searched. */
const HISTORY_DAYS = 30;
const MAX_ANOMALIES = 200;
/** Number of anomalies at the same time of day that are compared, and number used for the shape. */
const MAX_COMPARED = 20;
const MAX_REFERENCES = 3;

/** A shape that recurs at the same time of day. */
export interface Recurrence {
  metricId: number;
  /** The first one. */
  anomaly: RecurringAnomaly;
  shape: Shape;
  /** Unix seconds, ascending. */
  starts: number[];
  habit: Habit;
}

/** Finds out whether an anomaly is one of several similar ones at the same time of different days. */
@Injectable()
export class RecurrencesService {
  constructor(
    private readonly context: BuildContextService,
    private readonly trainings: TrainingRepository,
    private readonly exclusions: ExclusionDirectoryService,
    private readonly cutter: ShapeCutterService,
    private readonly series: PatternSeriesService,
    private readonly patterns: PatternDirectoryService,
    private readonly clock: Clock,
  ) {}

  /**
   * Null: it is not a recurrence, learning is excluded at its times, a person has confirmed one of them as a problem, or
   * a pattern of it exists or existed.
   */
  async find(orgId: number, metricId: number, anomalyId: number): Promise<Recurrence | null> {
    const found = await this.context.find(orgId, metricId);
    if (found === null || isErrorLike(found.metric)) return null;
    const { metric, settings } = found;
    // Older slots are too long to distinguish shapes.
    const since = this.clock.now() - Math.min(HISTORY_DAYS * DAY, settings.retention1PeriodSeconds);
    const isExcluded = this.exclusions.learningMask(orgId, metric, settings.timezone);
    const past = (await this.trainings.recurringAnomalies(orgId, metricId, since, MAX_ANOMALIES)).filter(
      ({ startTimestamp: from, endTimestamp: until }) => !isExcluded({ from, until }),
    );
    const latest = past.find(({ id }) => id === anomalyId);
    if (latest === undefined) return null;
    const group = past.filter((one) => isSameHour(one, latest, settings.timezone)).slice(0, MAX_COMPARED);
    if (daysOf(group, settings.timezone) < ENOUGH_DAYS) return null;
    const oldestFirst = group.toReversed();
    for (const reference of oldestFirst.slice(0, MAX_REFERENCES)) {
      const recurrence = await this.recurrenceOf(metric, reference, oldestFirst, settings);
      if (recurrence !== null) return (await this.isKnown(orgId, recurrence)) ? null : recurrence;
    }
    return null;
  }

  private async recurrenceOf(
    metric: MetricRecord,
    reference: RecurringAnomaly,
    group: readonly RecurringAnomaly[],
    settings: SeriesSettings,
  ): Promise<Recurrence | null> {
    const { startTimestamp: start, endTimestamp: end } = reference;
    const shape = await this.cutter.cut(metric, { start, end }, DAY, settings);
    const prepared = prepare(shape);
    // A series without data most of the time has no shape.
    if (prepared.gaps > 0.5) return null;
    const others = group.filter(({ id }) => id !== reference.id);
    const candidates = await this.candidates(metric, others, prepared, settings);
    const { timezone } = settings;
    const window = startWindow([shape.partStart], timezone, shape.fine.step);
    const options = { threshold: DEFAULT_THRESHOLD, window, timezone };
    const alike = [{ anomaly: reference, start: shape.partStart, slots: prepared.partSlots, height: 1 }];
    candidates.forEach((candidate, i) => {
      const { alike: isAlike, onset, slots, height } = likeness(prepared, candidate, options);
      if (isAlike) alike.push({ anomaly: others[i]!, start: onset, slots, height });
    });
    if (alike.some(({ anomaly }) => anomaly.positive)) return null;
    const starts = [...new Set(alike.map((one) => one.start))].sort((a, b) => a - b);
    if (new Set(starts.map((time) => dayOf(time, timezone))).size < ENOUGH_DAYS) return null;
    return {
      metricId: metric.id,
      anomaly: reference,
      shape,
      starts,
      habit: habitOf(prepared.partSlots, alike.slice(1)),
    };
  }

  /** The compared parts of anomalies, in their order. */
  private async candidates(
    metric: MetricRecord,
    anomalies: readonly RecurringAnomaly[],
    { shape, residuals }: PreparedShape,
    settings: SeriesSettings,
  ): Promise<Candidate[]> {
    const { step } = shape.fine;
    const length = residuals.length * step;
    const now = this.clock.now();
    const windows = anomalies.map(({ startTimestamp: start, endTimestamp: end }) => ({
      metric,
      from: start - length - (LEAD_SLOTS + BASELINE_SLOTS) * step,
      until: Math.min(now, Math.max(start + length, end) + (TAIL_SLOTS + 1) * step),
      step,
    }));
    const read = await this.series.readAll(windows, settings);
    return anomalies.map(({ startTimestamp: start, endTimestamp: end }, i) => {
      const fine = read[i]!;
      return { start, end, newest: fine.start + (fine.values.length - 1) * step, fine, contexts: new Map() };
    });
  }

  /** A disabled or refused pattern also counts: the user does not want it again. */
  private async isKnown(orgId: number, { metricId, shape }: Recurrence): Promise<boolean> {
    const { partStart: start, partEnd: end, fine } = shape;
    const newest = fine.start + (fine.values.length - 1) * fine.step;
    const candidate = { start, end, newest, fine, contexts: new Map() };
    const options = { threshold: DEFAULT_THRESHOLD, window: null, timezone: 'UTC' };
    return (await this.patterns.everyShape(orgId, metricId)).some(
      (other) => other.fine.step === fine.step && likeness(prepare(other), candidate, options).alike,
    );
  }
}

const dayOf = (time: number, timezone: string): number => Math.round((time - timeOfDay(time, timezone)) / DAY);

const daysOf = (anomalies: readonly RecurringAnomaly[], timezone: string): number =>
  new Set(anomalies.map(({ startTimestamp }) => dayOf(startTimestamp, timezone))).size;

/** The detector may open in the middle of a known shape: any time within the other anomaly suffices. */
function isSameHour(one: RecurringAnomaly, other: RecurringAnomaly, timezone: string): boolean {
  const length = Math.max(lengthOf(one), lengthOf(other));
  const apart = timeOfDay(one.startTimestamp, timezone) - timeOfDay(other.startTimestamp, timezone);
  const around = Math.abs(apart) > DAY / 2 ? DAY - Math.abs(apart) : Math.abs(apart);
  return around <= length + START_TOLERANCE;
}

const lengthOf = ({ startTimestamp: start, endTimestamp: end }: RecurringAnomaly): number => end - start;

/** True if a metric counts failures: recurring anomalies of such a metric are not learnt as normal. */
export function isErrorLike({ name, labels }: { name: string; labels: Readonly<Record<string, string>> }): boolean {
  const words = [name, ...Object.values(labels)].join(' ');
  // `requestErrors` as `request errors`.
  return ERROR_WORDS.test(words.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}
