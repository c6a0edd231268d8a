import { isDerivedName } from '#libs/contracts';
import { type LabelPair } from '#libs/protocols';
import { AnswerCollector, jsonOf, memberOf } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import { type AnswerLimits, type ReadWindow, type SourceAnswer } from '../reading/driver.types.js';

const NO_MATRIX = 'the answer is none of query_range: does the address lead to a Prometheus-compatible API?';

/** The reason for a refusal, as the service reports it. */
export function promqlReason(body: Buffer): string | null {
  try {
    const error = memberOf(JSON.parse(body.toString('utf8')), 'error');
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** @throws SourceFailure */
export function parsePromqlAnswer(body: Buffer, window: ReadWindow, limits: AnswerLimits): SourceAnswer {
  const answer = jsonOf(body);
  const data = memberOf(answer, 'data');
  const result = memberOf(data, 'result');
  if (memberOf(answer, 'status') !== 'success' || memberOf(data, 'resultType') !== 'matrix' || !Array.isArray(result)) {
    throw new SourceFailure('refused', NO_MATRIX);
  }
  const series = (result as unknown[]).filter((one) => !isDerived(one));
  const collector = new AnswerCollector(window, limits);
  collector.expectSeries(series.length);
  for (const one of series) {
    const { name, labels } = nameOf(memberOf(one, 'metric'));
    const values = memberOf(one, 'values');
    // A series with native histograms alone has no values.
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw new SourceFailure('refused', NO_MATRIX);
    collector.add(name, labels, pairsOf(values));
  }
  const warnings = memberOf(answer, 'warnings');
  const isPartial = memberOf(answer, 'isPartial') === true || (Array.isArray(warnings) && warnings.length > 0);
  return { series: collector.series, isPartial };
}

/** Series that Plumbline has written back, or served to a Prometheus that federates it, are not analysed. */
function isDerived(one: unknown): boolean {
  const name = memberOf(memberOf(one, 'metric'), '__name__');
  return typeof name === 'string' && isDerivedName(name);
}

function nameOf(metric: unknown): { name: string | null; labels: LabelPair[] } {
  if (typeof metric !== 'object' || metric === null) throw new SourceFailure('refused', NO_MATRIX);
  let name: string | null = null;
  const labels: LabelPair[] = [];
  for (const [key, value] of Object.entries(metric)) {
    if (typeof value !== 'string') throw new SourceFailure('refused', NO_MATRIX);
    if (key === '__name__') name = value;
    else labels.push([key, value]);
  }
  return { name: name === '' ? null : name, labels };
}

function* pairsOf(values: readonly unknown[]): Generator<readonly [number, number]> {
  for (const pair of values) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'number' || typeof pair[1] !== 'string') {
      throw new SourceFailure('refused', NO_MATRIX);
    }
    // NaN and the infinities are spelt so that no number comes of them, or one that is omitted.
    yield [pair[0], pair[1].length > 64 || pair[1].trim() === '' ? NaN : Number(pair[1])];
  }
}
