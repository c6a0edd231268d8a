import { Injectable, type StreamableFile } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Deadline } from './deadline.js';
import { contentTypeOf, exposedOf, headOf, lineOf, type NameForm } from './exposition.js';
import { answerOf } from './prometheus-answer.js';
import { type PrometheusParams } from './prometheus-params.js';
import { BadDataError } from './prometheus.errors.js';
import { type LabelSet } from './series-labels.js';
import { SeriesReaderService } from './series-reader.service.js';
import { SeriesSelectionService } from './series-selection.service.js';
import { LOOKBACK_PACES, LOOKBACK_SECONDS } from './series-values.js';
import { type Series } from './series.types.js';

interface Sample {
  name: string;
  labels: LabelSet;
  value: number;
  timestamp: number;
}

/** The newest values of series, in the text format that Prometheus scrapes. */
@Injectable()
export class FederationService {
  constructor(
    private readonly selections: SeriesSelectionService,
    private readonly reader: SeriesReaderService,
    private readonly clock: Clock,
  ) {}

  /** @throws PrometheusError, OverloadedError */
  async listNewest({ org }: KnownCaller, params: PrometheusParams, form: NameForm): Promise<StreamableFile> {
    const selectors = params.selectors();
    if (selectors.length === 0) throw new BadDataError('no match[] parameter provided');
    const now = this.clock.now();
    const deadline = new Deadline(params.timeout());
    const lookback = { seconds: LOOKBACK_SECONDS, paces: LOOKBACK_PACES };
    const selection = { selectors, window: { from: now, until: now }, lookback, limit: null };
    const found = await this.selections.find(org.id, selection, deadline);
    return answerOf(this.text(org.id, found, now, form, deadline), contentTypeOf(form));
  }

  /** The lines of a name are consecutive, and names are sorted. */
  private async *text(
    orgId: number,
    found: readonly Series[],
    now: number,
    form: NameForm,
    deadline: Deadline,
  ): AsyncGenerator<string> {
    const samples: Sample[] = [];
    const wanted = { times: Float64Array.of(now), lookbackSeconds: null };
    for await (const some of this.reader.sample(orgId, found, wanted, deadline)) {
      for (const { series, values, timestamps } of some) {
        const [value, timestamp] = [values[0]!, timestamps[0]!];
        if (!Number.isNaN(value)) samples.push({ ...exposedOf(series, form), value, timestamp });
      }
    }
    samples.sort((one, other) => (one.name < other.name ? -1 : one.name === other.name ? 0 : 1));
    let before: string | undefined;
    let lines = '';
    for (const { name, labels, value, timestamp } of samples) {
      if (name !== before) lines += headOf(name);
      before = name;
      lines += lineOf(name, labels, value, timestamp);
      if (lines.length < PIECE_CHARACTERS) continue;
      yield lines;
      lines = '';
    }
    yield lines;
  }
}

const PIECE_CHARACTERS = 64 * 1024;
