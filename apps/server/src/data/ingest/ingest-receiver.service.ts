import { Injectable } from '@nestjs/common';
import {
  countRejectedDataPoints,
  countWritten,
  INFLUX_PRECISIONS,
  type InfluxPrecision,
  quoted,
} from '#libs/protocols';
import {
  influxAnswer,
  keyCheckAnswer,
  nativeAnswer,
  otlpAnswer,
  otlpEncodingOf,
  remoteWrite2Answer,
  remoteWriteAnswer,
} from './ingest-answers.js';
import { type Taken } from './ingest-admission.service.js';
import { IngestParameterError } from './ingest.errors.js';
import { IngestService } from './ingest.service.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

/** The parameter of the media type that selects version 2.0 of remote write. */
const REMOTE_WRITE_2 = /;\s*proto\s*=\s*"?io\.prometheus\.write\.v2\.Request"?\s*(;|$)/i;

/** Without this type, the end of the text determines whether it is OpenMetrics. */
const OPEN_METRICS = /^\s*application\/openmetrics-text\b/i;

/** One method per protocol: its parser, and the format of its answer. */
@Injectable()
export class IngestReceiverService {
  constructor(private readonly ingest: IngestService) {}

  async json(received: ReceivedBody): Promise<IngestAnswer> {
    const taken = received.validateKey ? null : await this.ingest.take(received, { protocol: 'json' });
    // Only a parsed large body shows whether it only checks a key.
    return taken === null || received.validateKey ? keyCheckAnswer(received) : nativeAnswer(taken, received.test);
  }

  async influx(received: ReceivedBody): Promise<IngestAnswer> {
    return nativeAnswer(await this.takeLines(received), received.test);
  }

  async influxWrite(received: ReceivedBody, version: 1 | 2): Promise<IngestAnswer> {
    return influxAnswer(await this.takeLines(received), version, received.test);
  }

  async remoteWrite(received: ReceivedBody): Promise<IngestAnswer> {
    const version = REMOTE_WRITE_2.test(received.contentType) ? 2 : 1;
    const taken = await this.ingest.take(received, { protocol: 'prometheus', version });
    if (version === 1) return remoteWriteAnswer(taken, received.test);
    return remoteWrite2Answer(taken, countWritten(taken.found, taken.batch), received.test);
  }

  async exposition(received: ReceivedBody): Promise<IngestAnswer> {
    const isOpenMetrics = OPEN_METRICS.test(received.contentType);
    const taken = await this.ingest.take(received, { protocol: 'prometheus', version: 'text', isOpenMetrics });
    return nativeAnswer(taken, received.test);
  }

  async otlp(received: ReceivedBody): Promise<IngestAnswer> {
    const encoding = otlpEncodingOf(received.contentType);
    const taken = await this.ingest.take(received, { protocol: 'otlp', encoding });
    return otlpAnswer(taken, countRejectedDataPoints(taken.found), encoding, received.test);
  }

  async csv(received: ReceivedBody): Promise<IngestAnswer> {
    const { contentType, caller } = received;
    const metric = received.parameter('metric') ?? null;
    const timezone = received.parameter('timezone') ?? caller.org.timezone;
    const timeFormat = received.parameter('time_format') ?? null;
    const decimal = received.parameter('decimal') ?? null;
    const work = { protocol: 'csv', metric, timezone, timeFormat, decimal, contentType } as const;
    const taken = await this.ingest.take(received, work);
    return nativeAnswer(taken, received.test);
  }

  private takeLines(received: ReceivedBody): Promise<Taken> {
    const precision = precisionOf(received.parameter('precision'));
    return this.ingest.take(received, { protocol: 'influx', precision });
  }
}

function precisionOf(text: string | undefined): InfluxPrecision {
  const precision = INFLUX_PRECISIONS.find((known) => known === (text ?? 'ns'));
  if (precision !== undefined) return precision;
  const message = `precision must be one of ${INFLUX_PRECISIONS.join(', ')}, got ${quoted(text ?? '')}`;
  throw new IngestParameterError([{ field: 'precision', code: 'not_one_of', message }]);
}
