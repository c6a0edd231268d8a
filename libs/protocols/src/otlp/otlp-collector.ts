import { type MetricType, type RefusalReason, storableText } from '#libs/contracts';
import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { type PointRefusal, pointProblem } from '../batch/point-problem.js';
import { quoted } from '../batch/quoted.js';
import { type BodyHistograms, type HistogramSeries } from '../histograms/body-histograms.js';
import { type HistogramFolding } from '../histograms/histogram-folder.js';
import { type BucketLayout, HistogramPoint } from '../histograms/histogram-point.js';
import {
  composeMetricName,
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
  tooManyLabels,
} from '../names/metric-name.js';
import { type CachedName } from '../names/cached-name.js';
import { NameCache, type NameTable } from '../names/name-cache.js';
import { MAX_SPELLING_FACTOR } from '../names/name-limits.js';
import { type EndedSeries } from '../prometheus/remote-write-body.js';
import { dayOf } from '../time/unix-time.js';
import { mergeAttributes, resourceLabels } from './otlp-labels.js';
import { OtlpPosition } from './otlp-position.js';

/** The members of a metric that all its data points share. */
export interface OtlpMetric {
  name: string;
  /** UCUM code as sent; empty if there is none. */
  unit: string;
  description: string;
}

export interface OtlpResult extends ParseResult {
  /** Series ended by the flag "no recorded value". Such data points are neither points nor refusals. */
  ended: EndedSeries[];
  /** Data points read; a histogram or summary is one and gives several rows. */
  dataPoints: number;
  /** Data points of histograms and summaries by canonical name without `_count` and the like. */
  histogramPoints: ReadonlyMap<string, number>;
  /** The body was not stored (refused as a whole, failed, or only a test): discards its state of histograms. */
  discard: () => void;
}

/** Quantiles and their values of a summary data point, as columns. */
export interface SummaryPoint {
  timestamp: number;
  count: number;
  sum: number;
  quantiles: readonly number[];
  values: readonly number[];
}

/** A histogram or summary of the body. */
interface Distribution {
  series: HistogramSeries;
  /** Data points read. */
  points: number;
}

/** Attributes as they were sent. */
export interface SentAttributes {
  /** Attributes with a value; not many more than a metric may have. */
  pairs: LabelPair[];
  /** There are more attributes than are read, including those without a value. */
  areTooMany: boolean;
}

/** Returns the attributes of the data point being read; called for series that are seen for the first time. */
export interface AttributeSource {
  readAttributes: () => SentAttributes;
}

/** Longest unit kept; UCUM codes are far shorter. */
const MAX_UNIT_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;

/** Maximum number of labels quoted of a series whose name is refused. */
const LABELS_SHOWN = 8;

/** Maximum number of resources, scopes and metrics per allowed point. */
const MESSAGES_PER_POINT = 4;

/** Larger attributes are not cached: they are too long for a name, or rarely sent. */
const MAX_KEY_LENGTH = 8192;

/** Characters quoted of a label value of a series whose name is refused. */
const VALUE_SHOWN = 100;

/** Collects the data points of one request, from either encoding, in a batch. */
export class OtlpCollector {
  /** The histogram point being read; reused for all of them. */
  readonly point = new HistogramPoint();
  /** Moved by the reader. */
  readonly position = new OtlpPosition();
  private readonly builder: BatchBuilder;
  private readonly names: NameTable;
  private readonly histograms: BodyHistograms;
  private readonly distributions = new Map<ParsedMetricName, Distribution>();
  private readonly summaries = new Map<string, ParsedMetricName | MetricNameProblem>();
  private readonly ended: EndedSeries[] = [];
  private readonly maxTextLength: number;
  private dataPoints = 0;
  private messages = 0;
  private resource: readonly LabelPair[] = [];
  private resourceKey = '';
  private metric: OtlpMetric = { name: '', unit: '', description: '' };
  private metricKey = '';
  /** The member with the value of the point being added, for messages. */
  private valueMember = '';

  constructor(
    private readonly source: AttributeSource,
    private readonly limits: ParseLimits,
    { folder, scope, settings }: HistogramFolding,
  ) {
    this.builder = new BatchBuilder(limits);
    this.builder.onRefused = (reason, backfill, timestamp, value) => {
      this.notePoint(reason, backfill, timestamp, value);
    };
    this.maxTextLength = limits.maxNameLength * MAX_SPELLING_FACTOR + 1;
    this.names = (limits.names ?? new NameCache()).spelledAs('otlp');
    this.histograms = folder.begin(this.builder, scope, settings);
  }

  /** @param attributes those that become labels of all metrics of the resource */
  startResource(attributes: ReadonlyMap<string, string>): void {
    this.countMessage();
    this.resource = resourceLabels(attributes, this.maxTextLength);
    this.resourceKey = this.resource.length === 0 ? '' : this.resource.flat().map(framed).join('');
  }

  startMetric(metric: OtlpMetric): void {
    this.countMessage();
    this.metric = metric;
    // A text far too long for a name is still too long after it is shortened, and costs less at every data point.
    if (metric.name.length > this.maxTextLength) metric.name = metric.name.slice(0, this.maxTextLength);
    this.metricKey = `${this.resource.length};${this.resourceKey}${framed(metric.name)}`;
  }

  /** Counts a message that contains others: no sender intends a body of millions of empty ones. */
  countMessage(): void {
    const limit = this.limits.maxPoints * MESSAGES_PER_POINT;
    if (++this.messages > limit) throw new BodyTooLargeError('resources, scopes and metrics', limit);
  }

  /**
   * The name of the data point being read (of a histogram: without `_count` and the like). Counts the data point.
   * @param raw text that is the same for equal attributes; null if there is none
   */
  name(raw: string | null): ParsedMetricName | MetricNameProblem {
    const { maxPoints } = this.limits;
    if (++this.dataPoints > maxPoints) throw new BodyTooLargeError('points', maxPoints);
    if (raw === null || raw.length > MAX_KEY_LENGTH) return this.compose();
    const key = this.metricKey + raw;
    return this.names.get(key) ?? this.keep(key);
  }

  /** @param timestamp Unix seconds; 0 if unknown */
  addNumber(parsed: ParsedMetricName, type: MetricType, timestamp: number, value: number): void {
    this.valueMember = '.asDouble';
    this.addRow(parsed, type, true, timestamp, value);
  }

  /** Adds the content of `point`. Inconsistent buckets are omitted; count and sum are kept. */
  addHistogram(parsed: ParsedMetricName, layout: 'explicit' | 'exponential'): void {
    const { point } = this;
    const distribution = this.distributionOf(parsed);
    this.valueMember = '';
    distribution.points++;
    if (point.timestamp === 0) point.timestamp = this.limits.now;
    point.layout = layout === 'exponential' ? layout : explicitLayout(point);
    this.histograms.add(distribution.series, point);
  }

  addSummary(parsed: ParsedMetricName, point: SummaryPoint): void {
    const { timestamp, count, sum, quantiles, values } = point;
    this.distributionOf(parsed).points++;
    this.valueMember = '';
    this.addPart(parsed, this.part(parsed, '_count'), 'counter', false, timestamp, count);
    this.addPart(parsed, this.part(parsed, '_sum'), 'counter', true, timestamp, sum);
    for (let i = 0; i < quantiles.length; i++) {
      const quantile = this.part(parsed, '', String(quantiles[i]!));
      this.addPart(parsed, quantile, 'gauge', true, timestamp, values[i]!);
    }
  }

  /** Counts an entry of a summary point: each of them becomes a row, so there are no more of them than points. */
  countQuantile(entries: number): void {
    const { maxPoints } = this.limits;
    if (entries > maxPoints) throw new BodyTooLargeError('points', maxPoints);
  }

  /** A data point that never becomes rows. */
  refuse(problem: MetricNameProblem): void {
    const name = this.nameAsSent();
    this.builder.refuse(name, problem.reason);
    this.note(
      problem.reason,
      () => `the name of ${this.position.path} must be a metric name, got ${quoted(name)}: ${problem.problem}`,
    );
  }

  /** A data point with a valid name but without a number. */
  refuseValue(parsed: ParsedMetricName): void {
    this.builder.refuse(parsed.name, 'not_numeric');
    this.note('not_numeric', () => `${this.position.path} must have a number, asDouble or asInt`);
  }

  endNumber(parsed: ParsedMetricName, timestamp: number): void {
    this.end(parsed.name, timestamp);
  }

  endHistogram(parsed: ParsedMetricName, timestamp: number): void {
    for (const name of this.histograms.end(this.distributionOf(parsed).series)) this.end(name, timestamp);
  }

  endSummary(parsed: ParsedMetricName, timestamp: number): void {
    for (const suffix of ['_count', '_sum']) {
      const part = this.part(parsed, suffix);
      if (!isNameProblem(part)) this.end(part.name, timestamp);
    }
  }

  /** Runs the reader of a body and returns its result. A body that cannot be read does not change the state of histograms. */
  collect(read: () => void): OtlpResult {
    try {
      read();
      return this.finish();
    } catch (error) {
      this.histograms.discard();
      throw error;
    }
  }

  private finish(): OtlpResult {
    this.histograms.finish();
    const { ended, dataPoints } = this;
    const histogramPoints = new Map<string, number>();
    for (const [{ name }, { points }] of this.distributions) {
      histogramPoints.set(name, (histogramPoints.get(name) ?? 0) + points);
    }
    return { ...this.builder.finish(), ended, dataPoints, histogramPoints, discard: () => this.histograms.discard() };
  }

  private keep(key: string): CachedName | MetricNameProblem {
    return this.names.keep(key, this.compose());
  }

  private compose(): ParsedMetricName | MetricNameProblem {
    const { pairs, areTooMany } = this.source.readAttributes();
    if (areTooMany) return tooManyLabels(this.limits);
    const labels = mergeAttributes(this.resource, pairs);
    return composeSanitised(this.metric.name, labels, this.limits);
  }

  private notePoint(reason: PointRefusal, backfill: boolean, timestamp: number, value: number): void {
    const { path } = this.position;
    const day = reason === 'bad_timestamp' ? '' : `, taken for nanoseconds: ${dayOf(timestamp)}`;
    const time = { member: `${path}.timeUnixNano`, shown: `${Math.round(timestamp * 1e9)}${day}` };
    const sent = { member: `${path}${this.valueMember}`, shown: String(value) };
    this.note(reason, () => pointProblem(reason, time, sent, this.limits, backfill));
  }

  private note(reason: RefusalReason, problem: () => string): void {
    const { refusals } = this.builder;
    if (refusals.takesLines) refusals.addBadLine(reason, null, problem());
  }

  /** Name of a refused series in reports: long enough to find it. */
  private nameAsSent(): string {
    const pairs = [...this.resource, ...this.source.readAttributes().pairs];
    const labels = pairs.slice(0, LABELS_SHOWN).map(([key, value]) => `${key}=${JSON.stringify(shorten(value))}`);
    if (pairs.length > LABELS_SHOWN) labels.push('…');
    return labels.length === 0 ? this.metric.name : `${this.metric.name}{${labels.join(',')}}`;
  }

  private addRow(parsed: ParsedMetricName, type: MetricType, hasUnit: boolean, timestamp: number, value: number): void {
    const { builder, limits } = this;
    const series = builder.series(parsed, limits.backfill);
    const header = builder.header(series);
    if (header.type === null) {
      header.type = type;
      // The count of a slot is the sum of the counts of its parts.
      if (type === 'rate') header.aggregation = 'sum';
      if (hasUnit) header.unit = unitOf(this.metric.unit);
      header.description = descriptionOf(this.metric.description);
    }
    builder.add(series, timestamp === 0 ? limits.now : timestamp, value);
  }

  private addPart(
    parsed: ParsedMetricName,
    part: ParsedMetricName | MetricNameProblem,
    type: MetricType,
    hasUnit: boolean,
    timestamp: number,
    value: number,
  ): void {
    if (isNameProblem(part)) this.builder.refuse(parsed.name, part.reason);
    else this.addRow(part, type, hasUnit, timestamp, value);
  }

  /** The name of one of the series of a summary, created once per body. */
  private part(parsed: ParsedMetricName, suffix: string, quantile = ''): ParsedMetricName | MetricNameProblem {
    const key = `${suffix} ${quantile} ${parsed.name}`;
    let part = this.summaries.get(key);
    if (part === undefined) {
      const labels: LabelPair[] = Object.entries(parsed.labels);
      if (quantile !== '') labels.push(['quantile', quantile]);
      part = composeMetricName(`${parsed.displayName}${suffix}`, labels, this.limits);
      this.summaries.set(key, part);
    }
    return part;
  }

  /** By object, which is faster than by text; names that are not cached are a new object each time. */
  private distributionOf(parsed: ParsedMetricName): Distribution {
    let distribution = this.distributions.get(parsed);
    if (distribution === undefined) {
      const about = { unit: unitOf(this.metric.unit), description: descriptionOf(this.metric.description) };
      distribution = { series: this.histograms.series(parsed, this.limits.backfill, about), points: 0 };
      this.distributions.set(parsed, distribution);
    }
    return distribution;
  }

  private end(name: string, timestamp: number): void {
    this.builder.countMarker();
    this.ended.push({ name, timestamp: timestamp === 0 ? this.limits.now : timestamp });
  }
}

/** A text as part of a key: different lists of parts give different keys, whatever the texts contain. */
export function framed(text: string): string {
  return `${text.length}:${text}`;
}

/** The meaning of the values of a sum. A missing temporality is read as cumulative, as most senders intend it. */
export function sumType(isDelta: boolean, isMonotonic: boolean): MetricType {
  if (isDelta) return 'rate';
  return isMonotonic ? 'counter' : 'gauge';
}

function explicitLayout({ bounds, counts }: HistogramPoint): BucketLayout {
  if (bounds.length === 0 || counts.length !== bounds.length + 1) return 'none';
  for (let i = 0; i < bounds.length; i++) {
    const isAscending = i === 0 || bounds[i]! > bounds[i - 1]!;
    if (!isAscending || !Number.isFinite(bounds[i])) return 'none';
  }
  return 'explicit';
}

/** `1` is the code of numbers without a unit. */
function unitOf(unit: string): string | null {
  if (unit === '' || unit === '1' || unit.length > MAX_UNIT_LENGTH) return null;
  const text = storableText(unit, MAX_UNIT_LENGTH);
  return text === '' ? null : text;
}

function descriptionOf(description: string): string | null {
  const text = storableText(description, MAX_DESCRIPTION_LENGTH);
  if (text === '') return null;
  // A slice alone would keep the whole string in memory for as long as the metric is known.
  return description.length <= MAX_DESCRIPTION_LENGTH ? text : Buffer.from(text).toString();
}

function shorten(text: string): string {
  return text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text;
}
