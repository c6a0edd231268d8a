/**
 * Time to parse one body of 50 000 points in each protocol. Run after a build: `node dist/libs/protocols/src/parse.bench.js`.
 * The bodies are the same at every run, so figures before and after a change compare.
 */
import {
  type ParseResult,
  parseInflux,
  parseJsonMetrics,
  parseLimits,
  parseRemoteWrite,
  readJsonBody,
} from './index.js';

const NOW = 1_760_000_000;
const POINTS = 50_000;
const SERIES = 5_000;
const ROUNDS = 15;

/** Deterministic values with the digits of real measurements. */
const valueAt = (i: number): number => ((i * 2_654_435_761) % 1_000_003) / 1000;

function jsonBody(): Uint8Array {
  const metrics = Array.from({ length: POINTS }, (_, i) => ({
    metric: 'http_request_duration_seconds',
    labels: { job: 'shop', instance: `10.0.0.${i % 250}:9100`, route: `/r/${i % SERIES}` },
    timestamp: NOW - (i % 60),
    value: valueAt(i),
  }));
  return Buffer.from(JSON.stringify({ metrics }));
}

function columnarBody(): Uint8Array {
  const rows = POINTS / 500;
  const timestamps = Array.from({ length: rows }, (_, i) => NOW - i);
  const series = Object.fromEntries(
    Array.from({ length: 500 }, (_, s) => [`host-${s}.cpu`, timestamps.map((_t, i) => valueAt(s * rows + i))]),
  );
  return Buffer.from(JSON.stringify({ timestamps, series }));
}

function influxBody(): Uint8Array {
  const fields = 5;
  const lines = Array.from({ length: POINTS / fields }, (_, i) => {
    const values = ['user', 'system', 'idle', 'iowait', 'steal'].map((field, f) => `${field}=${valueAt(i * 5 + f)}`);
    return `cpu,host=web-${i % (SERIES / fields)},region=eu-1,cpu=cpu${i % 8} ${values.join(',')} ${NOW - (i % 60)}000000000`;
  });
  return Buffer.from(lines.join('\n'));
}

function remoteWriteBody(): Uint8Array {
  const varint = (value: number): number[] => {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
    return [...bytes, rest];
  };
  const message = (field: number, body: Uint8Array): Uint8Array =>
    Buffer.concat([Uint8Array.from([(field << 3) | 2, ...varint(body.length)]), body]);
  const label = (name: string, value: string): Uint8Array =>
    message(1, Buffer.concat([message(1, Buffer.from(name)), message(2, Buffer.from(value))]));
  const series = Array.from({ length: POINTS }, (_, i) => {
    const value = Buffer.alloc(9);
    value[0] = 0x09;
    value.writeDoubleLE(valueAt(i), 1);
    const sample = Buffer.concat([value, Uint8Array.from([0x10, ...varint((NOW - (i % 60)) * 1000)])]);
    const labels = [
      label('__name__', 'http_request_duration_seconds_bucket'),
      label('code', '200'),
      label('instance', `10.0.0.${i % 250}:9100`),
      label('job', 'shop'),
      label('le', '0.25'),
      label('route', `/r/${i % SERIES}`),
    ];
    return message(1, Buffer.concat([...labels, message(2, sample)]));
  });
  return Buffer.concat(series);
}

function measure(name: string, bytes: Uint8Array, parse: (bytes: Uint8Array) => ParseResult): void {
  const times: number[] = [];
  let points = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    points = parse(bytes).batch.count;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[ROUNDS >> 1]!;
  const megabytes = (bytes.length / 1e6).toFixed(1);
  console.log(
    `${name.padEnd(14)} ${points} points, ${megabytes} MB: ${median.toFixed(1)} ms, ${Math.round(points / median)} points/ms`,
  );
}

const limits = parseLimits(NOW);
measure('json', jsonBody(), (bytes) => parseJsonMetrics(readJsonBody(bytes), limits));
measure('json table', columnarBody(), (bytes) => parseJsonMetrics(readJsonBody(bytes), limits));
measure('influx', influxBody(), (bytes) => parseInflux(bytes, { precision: 'ns', onBadLine: 'skip' }, limits));
measure('remote write', remoteWriteBody(), (bytes) => parseRemoteWrite(bytes, limits));
