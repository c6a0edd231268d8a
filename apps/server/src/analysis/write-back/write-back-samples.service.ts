import { Injectable } from '@nestjs/common';
import { derivedLabels, type DerivedName } from '#libs/contracts';
import { type RemoteWriteSample } from '#libs/protocols';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { derivedColumn } from '../expectation/derived-column.functions.js';
import { ExpectationService } from '../expectation/expectation.service.js';
import { type Expectation } from '../expectation/expectation.types.js';
import { type WriteBackPlan } from './plan-write-back.js';

/**
 * Maximum number of metrics of a source that are written back, the first by name: the detector runs again for each of
 * them.
 */
export const MAX_METRICS = 1000;
/** The events of Plumbline show whether there is an anomaly, which may be decided later. */
const WRITTEN = [
  'plumbline_expected',
  'plumbline_expected_lower',
  'plumbline_expected_upper',
  'plumbline_score',
] as const satisfies readonly DerivedName[];

/** The samples for the metrics of a source, by slot. */
@Injectable()
export class WriteBackSamplesService {
  constructor(
    private readonly metrics: MetricService,
    private readonly expectations: ExpectationService,
  ) {}

  /** The metrics of a source. @param newest time of the newest point of each, by canonical name */
  find(orgId: number, newest: ReadonlyMap<string, number>): Promise<MetricRecord[]> {
    return this.metrics.findByNames(orgId, [...newest.keys()].sort().slice(0, MAX_METRICS));
  }

  /** Sequentially by metric. @throws OverloadedError, an error when `signal` is aborted */
  async make(
    metrics: readonly MetricRecord[],
    settings: SeriesSettings,
    { from, until }: WriteBackPlan,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, readonly RemoteWriteSample[]>> {
    const slots = new Map<number, RemoteWriteSample[]>();
    for (const metric of metrics) {
      signal.throwIfAborted();
      const expectation = await this.expectations.getExpectation(metric, from, until, settings);
      for (const [timestamp, sample] of samplesOf(metric, expectation)) {
        const slot = slots.get(timestamp);
        if (slot) slot.push(sample);
        else slots.set(timestamp, [sample]);
      }
    }
    return slots;
  }
}

/** None while the detector has not learnt enough. */
function* samplesOf(metric: MetricRecord, expectation: Expectation): Generator<[number, RemoteWriteSample]> {
  const own = derivedLabels(metric);
  for (const name of WRITTEN) {
    const labels = [['__name__', name] as const, ...own];
    const column = derivedColumn(expectation, name);
    for (const [row, timestamp] of expectation.timestamps.entries()) {
      const value = column[row]!;
      if (Number.isNaN(value)) continue;
      yield [timestamp, { labels, value, milliseconds: timestamp * 1000 }];
    }
  }
}
