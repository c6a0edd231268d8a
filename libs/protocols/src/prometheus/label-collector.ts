import { type ParseLimits } from '../batch/limits.js';
import {
  composeSanitised,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
} from '../names/metric-name.js';

/** Labels quoted of a series whose name is refused. */
const LABELS_SHOWN = 8;

/** Collects the labels of one time series after the other, in bounded room, and makes its name of them. */
export class LabelCollector {
  private name = '';
  private readonly labels: LabelPair[] = [];
  private count = 0;

  constructor(private readonly limits: ParseLimits) {}

  clear(): void {
    this.name = '';
    this.labels.length = 0;
    this.count = 0;
  }

  add(name: string, value: string): void {
    if (name === '__name__') {
      this.name = value;
      return;
    }
    if (value === '') return;
    this.count++;
    // One more than allowed shows that there are too many; the rest need no memory.
    if (this.labels.length <= this.limits.maxLabels) this.labels.push([name, value]);
  }

  compose(): ParsedMetricName | MetricNameProblem {
    return composeSanitised(this.name, this.labels, this.limits);
  }

  /** How a refused series is called in reports: enough of it to find it. */
  asSent(): string {
    const labels = this.labels.slice(0, LABELS_SHOWN).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    if (this.count > LABELS_SHOWN) labels.push('…');
    return labels.length === 0 ? this.name : `${this.name}{${labels.join(',')}}`;
  }
}
