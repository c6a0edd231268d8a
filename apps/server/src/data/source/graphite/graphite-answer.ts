import { type LabelPair } from '#libs/protocols';
import { AnswerCollector, jsonOf, memberOf } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import { type AnswerLimits, type ReadWindow, type SourceAnswer } from '../reading/driver.types.js';

const NO_RENDERING = 'the answer is none of the render API: does the address lead to graphite-web?';

/** @throws SourceFailure */
export function parseGraphiteAnswer(body: Buffer, window: ReadWindow, limits: AnswerLimits): SourceAnswer {
  const answer = jsonOf(body);
  if (!Array.isArray(answer)) throw new SourceFailure('refused', NO_RENDERING);
  const collector = new AnswerCollector(window, limits);
  collector.expectSeries(answer.length);
  for (const one of answer as unknown[]) {
    const [target, points] = [memberOf(one, 'target'), memberOf(one, 'datapoints')];
    if (typeof target !== 'string' || !Array.isArray(points)) throw new SourceFailure('refused', NO_RENDERING);
    const { name, labels } = namedBy(target);
    collector.add(name, labels, pairsOf(points));
  }
  return { series: collector.series, isPartial: false };
}

/**
 * `servers.web1.cpu`, or `cpu;host=web1;…` if the store has tags. Any other text, such as a function, is used as the
 * name.
 */
function namedBy(target: string): { name: string; labels: LabelPair[] } {
  const [name = '', ...tags] = target.split(';');
  const labels = tags.flatMap((tag): LabelPair[] => {
    const at = tag.indexOf('=');
    return at > 0 ? [[tag.slice(0, at), tag.slice(at + 1)]] : [];
  });
  return name === '' || labels.length < tags.length ? { name: target, labels: [] } : { name, labels };
}

function* pairsOf(points: readonly unknown[]): Generator<readonly [number, number]> {
  for (const pair of points) {
    if (!Array.isArray(pair) || typeof pair[1] !== 'number') throw new SourceFailure('refused', NO_RENDERING);
    const value: unknown = pair[0];
    yield [pair[1], typeof value === 'number' ? value : NaN];
  }
}
