import { Controller } from '@nestjs/common';
import { type ApiBodyOptions, ApiTags } from '@nestjs/swagger';
import { INFLUX_PRECISIONS } from '#libs/protocols';
import { type BodyRule } from './ingest-body.js';
import { IngestReceiverService } from './ingest-receiver.service.js';
import { type IngestQuery, IngestRoute } from './ingest-route.decorator.js';
import { Received } from './ingest.guard.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

const JSON_QUERIES: readonly IngestQuery[] = [
  { name: 'backfill', description: 'true: as history.', schema: { type: 'boolean', default: false } },
];

const namesOf = (queries: readonly IngestQuery[]): string[] => queries.map(({ name }) => name);

const CSV_QUERIES: readonly IngestQuery[] = [
  { name: 'metric', description: 'Name of the metric of a file with two columns.', schema: { type: 'string' } },
  { name: 'timezone', description: 'Of times without an offset.', schema: { type: 'string' } },
  {
    name: 'time_format',
    description: 'Form of the times as a Unicode date pattern, such as `dd.MM.yyyy HH:mm` or `M/d/yyyy h:mm a`.',
    schema: { type: 'string' },
  },
  {
    name: 'decimal',
    description:
      'The sign before decimals; the other one then separates thousands. If omitted, a comma is read as the ' +
      'decimal sign if it does not separate cells and has no other possible meaning.',
    schema: { type: 'string', enum: ['.', ','], default: '.' },
  },
  { name: 'backfill', description: 'false: as live data.', schema: { type: 'boolean', default: true } },
];

const JSON_BODY: BodyRule = {
  types: ['application/json'],
  encodings: ['identity', 'gzip'],
  hasSwitches: true,
  parameters: namesOf(JSON_QUERIES),
};

/** Programs of all kinds write line protocol, with various media types. */
const LINES: BodyRule = {
  types: ['text/plain', 'text/*', 'application/octet-stream', 'application/x-www-form-urlencoded'],
  encodings: ['identity', 'gzip'],
};

/**
 * Unknown versions are answered with 415: senders then fall back to a version that both support, as the protocol
 * requires.
 */
const REMOTE_WRITE: BodyRule = {
  types: ['application/x-protobuf'],
  encodings: ['snappy'],
  refused: /proto\s*=\s*(?!"?(prometheus\.WriteRequest|io\.prometheus\.write\.v2\.Request)"?\s*(;|$))/i,
};

/** As exposed by programs, and as a file sent by curl. */
const EXPOSITION: BodyRule = {
  types: [
    'text/plain',
    'text/*',
    'application/openmetrics-text',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
  ],
  encodings: ['identity', 'gzip'],
};

const CSV: BodyRule = {
  types: ['text/csv', 'multipart/form-data'],
  encodings: ['identity', 'gzip'],
  limits: 'file',
  isHistory: true,
  parameters: namesOf(CSV_QUERIES),
};

/** The paths of OpenTelemetry: errors are answered in the encoding of the request. */
const OTLP: BodyRule = {
  types: ['application/x-protobuf', 'application/json'],
  encodings: ['identity', 'gzip'],
  errors: 'rpc-status',
};

const POINT_EXAMPLE = { metric: 'web-1.cpu', timestamp: 1760000000, value: 12.5 };

const JSON_DESCRIPTION: ApiBodyOptions = {
  schema: {},
  examples: {
    one: { summary: 'One point, now', value: { metric: 'web-1.cpu', value: 12.5 } },
    many: {
      summary: 'Many points',
      value: { metrics: [{ ...POINT_EXAMPLE, labels: { host: 'web-1' }, type: 'gauge', unit: '%' }] },
    },
    columns: {
      summary: 'Columns of a metric',
      value: { metrics: [{ metric: 'web-1.cpu', timestamps: [1760000000, 1760000060], values: [12.5, 13] }] },
    },
    list: { summary: 'A bare list', value: [POINT_EXAMPLE] },
    check: { summary: 'Check a token; nothing is sent', value: { key: 'pl_…', validate_key: true } },
  },
};

const LINES_DESCRIPTION: ApiBodyOptions = {
  schema: { type: 'string' },
  examples: { line: { summary: 'A line', value: 'cpu,host=web-1 usage_user=12.5 1760000000000000000' } },
};

const EXPOSITION_DESCRIPTION: ApiBodyOptions = {
  schema: { type: 'string' },
  examples: {
    prometheus: {
      summary: 'Prometheus',
      value: '# TYPE http_requests_total counter\nhttp_requests_total{code="200"} 1027 1760000000000\n',
    },
    openMetrics: {
      summary: 'OpenMetrics',
      value: '# TYPE http_requests counter\nhttp_requests_total{code="200"} 1027 1760000000.5\n# EOF\n',
    },
  },
};

const CSV_DESCRIPTION: ApiBodyOptions = {
  schema: { type: 'string' },
  examples: {
    long: { summary: 'Long', value: 'timestamp,metric,value\n1760000000,web-1.cpu,12.5\n' },
    wide: { summary: 'Wide', value: 'timestamp,web-1.cpu,web-2.cpu\n1760000000,12.5,8\n' },
    two: { summary: 'Two columns, with ?metric=', value: 'timestamp,value\n1760000000,12.5\n' },
  },
};

const PRECISION: IngestQuery = {
  name: 'precision',
  description: 'Unit of the timestamps.',
  schema: { type: 'string', enum: [...INFLUX_PRECISIONS], default: 'ns' },
};

/** Paths that accept data. Their answers have no envelope. */
@ApiTags('ingest')
@Controller()
export class IngestController {
  constructor(private readonly receiver: IngestReceiverService) {}

  @IngestRoute(['ingest/metrics'], JSON_BODY, {
    summary: 'Send points as JSON: many metrics, one, columns, or a bare list',
    description:
      'For your own programs. A point without a timestamp gets the current time; times are Unix seconds, milliseconds, ' +
      'microseconds or nanoseconds, recognised by their size. Labels, type, unit and aggregation are optional. ' +
      '`"test": true`, `"backfill": true` and `"key"` (the token) may stand beside the points.',
    body: JSON_DESCRIPTION,
    queries: JSON_QUERIES,
    refusals: 'report',
  })
  metrics(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.json(received);
  }

  @IngestRoute(['ingest/influx'], LINES, {
    summary: 'Send points as InfluxDB line protocol',
    description:
      'Each numeric field becomes a metric, `measurement_field` with the tags as labels. Bad lines are refused one by ' +
      'one and named in the report.',
    body: LINES_DESCRIPTION,
    queries: [PRECISION],
    refusals: 'report',
  })
  influx(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influx(received);
  }

  @IngestRoute(['write'], LINES, {
    summary: 'Send points by the write call of InfluxDB 1',
    description:
      'For Telegraf and other programs that write to InfluxDB 1. The token is the password, or the parameter `p`; `db` ' +
      'is ignored.',
    body: LINES_DESCRIPTION,
    queries: [PRECISION],
    refusals: 'partialWrite',
  })
  influxWriteV1(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influxWrite(received, 1);
  }

  @IngestRoute(['api/v2/write'], LINES, {
    summary: 'Send points by the write call of InfluxDB 2',
    description:
      'For Telegraf and other programs that write to InfluxDB 2. The token is sent as an InfluxDB token; ' +
      '`bucket` and `org` are ignored.',
    body: LINES_DESCRIPTION,
    queries: [PRECISION],
    refusals: 'partialWrite',
  })
  influxWriteV2(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.influxWrite(received, 2);
  }

  @IngestRoute(['ingest/prometheus', 'api/v1/write'], REMOTE_WRITE, {
    summary: 'Send points by Prometheus remote write 1.0 or 2.0',
    description:
      'For `remote_write` of Prometheus and programs that speak it. Version 2.0 is chosen by ' +
      '`Content-Type: application/x-protobuf;proto=io.prometheus.write.v2.Request`; its answers contain the ' +
      'number of samples written.',
    refusals: 'report',
  })
  remoteWrite(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.remoteWrite(received);
  }

  @IngestRoute(['api/v1/import/prometheus'], EXPOSITION, {
    summary: 'Send points as Prometheus or OpenMetrics text',
    description:
      'For the text that a program exposes at `/metrics`: `curl --data-binary @metrics.txt`. `# TYPE` says what is a counter; ' +
      'timestamps are milliseconds, in OpenMetrics (which ends with `# EOF`) seconds, and now where there is none. Bad ' +
      'lines are refused one by one and named in the report.',
    body: EXPOSITION_DESCRIPTION,
    refusals: 'report',
  })
  exposition(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.exposition(received);
  }

  @IngestRoute(['ingest/csv'], CSV, {
    summary: 'Send points as CSV, in the form field `file` or as the body: long, wide, or two columns with ?metric=',
    description:
      'For history: points of any age within the retention are taken and learnt from, without alerts. Columns are ' +
      'separated by comma, semicolon or tab, rows may be in any order. Times are Unix seconds, milliseconds, microseconds ' +
      'or nanoseconds by their size, eight digits `yyyyMMdd`, ISO 8601, or of the form that `time_format` gives.',
    body: CSV_DESCRIPTION,
    queries: CSV_QUERIES,
    refusals: 'report',
  })
  csv(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.csv(received);
  }

  @IngestRoute(['v1/metrics'], OTLP, {
    summary: 'Send OpenTelemetry metrics (OTLP/HTTP)',
    description:
      'For the OpenTelemetry Collector and SDKs: an ExportMetricsServiceRequest as protobuf or JSON. Attributes become ' +
      'labels, with some of the resource.',
    refusals: 'partialSuccess',
  })
  otlp(@Received() received: ReceivedBody): Promise<IngestAnswer> {
    return this.receiver.otlp(received);
  }
}
