import { Injectable } from '@nestjs/common';
import { type LabelPair } from '#libs/protocols';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { AnswerCollector, jsonOf, memberOf } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import {
  type AnswerLimits,
  type ReadWindow,
  type SourceAnswer,
  type SourceDriver,
  type SourceQuery,
} from '../reading/driver.types.js';
import { asFailure, below, bodyOf, formRequest } from '../reading/http-query.js';
import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';

const NO_RENDERING = 'the answer is not one of the render API: does the address lead to graphite-web?';

/** graphite-web and other servers with its render API. */
@Injectable()
export class GraphiteDriverService implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClientService) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(graphiteRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    // Its errors are HTML pages.
    return parseGraphiteAnswer(
      bodyOf(answer, () => null),
      query.window,
      query.limits,
    );
  }
}

/**
 * The render API. `from` is exclusive there for some readers and inclusive for others; points outside of the window are
 * dropped when the answer is read.
 */
export function graphiteRequest(query: SourceQuery): OutgoingRequest {
  const { settings, window } = query;
  return formRequest(query, below(settings.url, '/render'), {
    target: settings.query,
    from: String(window.from),
    // Some finders omit the last slot.
    until: String(window.until + window.stepSeconds),
    format: 'json',
    noNullPoints: 'true',
    // A cached answer may lack newer points.
    noCache: 'true',
  });
}

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
