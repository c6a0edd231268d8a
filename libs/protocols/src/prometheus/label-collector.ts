import { type ParseLimits } from '../batch/limits.js';
import {
  composeSanitised,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
  tooManyLabels,
} from '../names/metric-name.js';
import { SENT_LABELS_FACTOR } from '../names/name-limits.js';

/** Maximum number of labels quoted of a series whose name is refused. */
const LABELS_SHOWN = 8;

/** Maximum number of characters quoted of a text of such a series: many series may reference one long text. */
const TEXT_SHOWN = 100;

/** Collects the labels of one time series after the other, in bounded memory, and builds its name from them. */
export class LabelCollector {
  private name = '';
  private readonly labels: LabelPair[] = [];
  private count = 0;
  private sent = 0;

  constructor(private readonly limits: ParseLimits) {}

  clear(): void {
    this.name = '';
    this.labels.length = 0;
    this.count = 0;
    this.sent = 0;
  }

  add(name: string, value: string): void {
    if (name === '__name__') {
      this.name = value;
      return;
    }
    this.sent++;
    if (value === '') return;
    this.count++;
    // One more than allowed shows that there are too many; the rest need no memory.
    if (this.labels.length <= this.limits.maxLabels) this.labels.push([name, value]);
  }

  compose(): ParsedMetricName | MetricNameProblem {
    if (this.sent > this.limits.maxLabels * SENT_LABELS_FACTOR) return tooManyLabels(this.limits);
    return composeSanitised(this.name, this.labels, this.limits);
  }

  /** Name of a refused series in reports: long enough to find it. */
  asSent(): string {
    const labels = this.labels
      .slice(0, LABELS_SHOWN)
      .map(([key, value]) => `${shorten(key)}=${JSON.stringify(shorten(value))}`);
    if (this.count > LABELS_SHOWN) labels.push('…');
    const name = this.name.slice(0, this.limits.maxNameLength);
    return labels.length === 0 ? name : `${name}{${labels.join(',')}}`;
  }
}

function shorten(text: string): string {
  return text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text;
}
