import { Injectable } from '@nestjs/common';
import {
  INFLUX_PRECISIONS,
  type InfluxPrecision,
  parseInflux,
  parseJsonMetrics,
  parseRemoteWrite,
} from '#libs/protocols';
import { ValidationFailedError } from '../common/errors/app-error.js';
import { influxAnswer, keyCheckAnswer, nativeAnswer, remoteWriteAnswer } from './ingest-answers.js';
import { IngestService, type Taken } from './ingest.service.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

/** One method per way of sending: which parser, and in which words it is answered. */
@Injectable()
export class IngestReceiver {
  constructor(private readonly ingest: IngestService) {}

  async json(received: ReceivedBody): Promise<IngestAnswer> {
    const { json } = received;
    if (!json) throw new Error('The JSON path was received without JSON');
    if (received.validateKey) return keyCheckAnswer(received);
    const taken = await this.ingest.take(received, 'json', (limits) => parseJsonMetrics(json, limits));
    return nativeAnswer(taken, received.test);
  }

  async influx(received: ReceivedBody): Promise<IngestAnswer> {
    return nativeAnswer(await this.takeLines(received), received.test);
  }

  async influxWrite(received: ReceivedBody, version: 1 | 2): Promise<IngestAnswer> {
    return influxAnswer(await this.takeLines(received), version, received.test);
  }

  async remoteWrite(received: ReceivedBody): Promise<IngestAnswer> {
    const taken = await this.ingest.take(received, 'prometheus', (limits) => parseRemoteWrite(received.bytes, limits));
    return remoteWriteAnswer(taken, received.test);
  }

  private takeLines(received: ReceivedBody): Promise<Taken> {
    const precision = precisionOf(received.parameter('precision'));
    return this.ingest.take(received, 'influx', (limits) =>
      parseInflux(received.bytes, { precision, onBadLine: 'skip' }, limits),
    );
  }
}

function precisionOf(text: string | undefined): InfluxPrecision {
  const precision = INFLUX_PRECISIONS.find((known) => known === (text ?? 'ns'));
  if (precision !== undefined) return precision;
  const message = `must be one of ${INFLUX_PRECISIONS.join(', ')}`;
  throw new ValidationFailedError([{ field: 'precision', code: 'not_one_of', message }]);
}
