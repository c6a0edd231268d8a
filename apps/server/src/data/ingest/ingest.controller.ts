import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type BodyRule } from './ingest-body.js';
import { IngestReceiver } from './ingest-receiver.service.js';
import { IngestRoute } from './ingest-route.decorator.js';
import { Received } from './ingest.guard.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

const JSON_BODY: BodyRule = { types: ['application/json'], encodings: ['identity', 'gzip'], hasSwitches: true };

/** Programs of all kinds write line protocol, and name it in many ways. */
const LINES: BodyRule = {
  types: ['text/plain', 'text/*', 'application/octet-stream', 'application/x-www-form-urlencoded'],
  encodings: ['identity', 'gzip'],
};

/** Versions that are unknown are answered 415: senders then fall back to one that both know, as the protocol asks. */
const REMOTE_WRITE: BodyRule = {
  types: ['application/x-protobuf'],
  encodings: ['snappy'],
  refused: /proto\s*=\s*(?!"?(prometheus\.WriteRequest|io\.prometheus\.write\.v2\.Request)"?\s*(;|$))/i,
};

const CSV: BodyRule = {
  types: ['text/csv', 'multipart/form-data'],
  encodings: ['identity', 'gzip'],
  limits: 'file',
  isHistory: true,
};

/** The paths of OpenTelemetry: errors are answered in the encoding of the request. */
const OTLP: BodyRule = {
  types: ['application/x-protobuf', 'application/json'],
  encodings: ['identity', 'gzip'],
  errors: 'rpc-status',
};

/** Where data is sent to. Answers of these paths have no envelope. */
@ApiTags('ingest')
@Controller()
export class IngestController {
  constructor(private readonly receiver: IngestReceiver) {}

  @IngestRoute(['ingest/metrics'], JSON_BODY, {
    summary: 'Send points as JSON: many metrics, one, columns, or a bare list',
    refusals: 'report',
  })
  metrics(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.json(received);
  }

  @IngestRoute(['ingest/influx'], LINES, { summary: 'Send points as InfluxDB line protocol', refusals: 'report' })
  influx(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influx(received);
  }

  @IngestRoute(['write'], LINES, { summary: 'Send points by the write call of InfluxDB 1', refusals: 'partialWrite' })
  influxWriteV1(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influxWrite(received, 1);
  }

  @IngestRoute(['api/v2/write'], LINES, {
    summary: 'Send points by the write call of InfluxDB 2',
    refusals: 'partialWrite',
  })
  influxWriteV2(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influxWrite(received, 2);
  }

  @IngestRoute(['ingest/prometheus', 'api/v1/write'], REMOTE_WRITE, {
    summary: 'Send points by Prometheus remote write 1.0 or 2.0',
    refusals: 'report',
  })
  remoteWrite(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.remoteWrite(received);
  }

  @IngestRoute(['ingest/csv'], CSV, {
    summary: 'Send points as CSV, in the form field `file` or as the body: long, wide, or two columns with ?metric=',
    refusals: 'report',
  })
  csv(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.csv(received);
  }

  @IngestRoute(['v1/metrics'], OTLP, { summary: 'Send OpenTelemetry metrics (OTLP/HTTP)', refusals: 'partialSuccess' })
  otlp(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.otlp(received);
  }
}
