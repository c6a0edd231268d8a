/**
 * `npm run bench:protocols`: measures points parsed per millisecond of processor time (all threads, with garbage
 * collection) in each protocol, for senders whose names are new and for known senders. The bodies are the same in every
 * run, so figures before and after a change are comparable.
 */
import {
  DEFAULT_HISTOGRAM_SETTINGS,
  GraphiteReader,
  HistogramFolder,
  NameCache,
  parseCsv,
  parseInflux,
  parseJsonMetrics,
  parseLimits,
  parseOtlp,
  parseRemoteWrite,
  parseRemoteWrite2,
  readJsonBody,
} from '../../dist/libs/protocols/src/index.js';
import { csvLongBody, csvWideBody } from './csv-bodies.mjs';
import { graphiteLines } from './graphite-bodies.mjs';
import { otlpBody, otlpHistogramBody, otlpJsonBody } from './otlp-bodies.mjs';
import {
  classicHistogramRounds,
  nativeHistogramRounds,
  remoteWrite2Rounds,
  remoteWriteRounds,
} from './prometheus-bodies.mjs';

const NOW = 1_760_000_000;
const POINTS = 50_000;
const SERIES = 5_000;
const ROUNDS = 31;

/** Deterministic values with as many digits as real measurements. */
const valueAt = (i) => ((i * 2_654_435_761) % 1_000_003) / 1000;

function jsonBody() {
  const metrics = Array.from({ length: POINTS }, (_, i) => ({
    metric: 'http_request_duration_seconds',
    labels: { job: 'shop', instance: `10.0.0.${i % 250}:9100`, route: `/r/${i % SERIES}` },
    timestamp: NOW - (i % 60),
    value: valueAt(i),
  }));
  return Buffer.from(JSON.stringify({ metrics }));
}

function columnarBody() {
  const rows = POINTS / 500;
  const timestamps = Array.from({ length: rows }, (_, i) => NOW - i);
  const series = Object.fromEntries(
    Array.from({ length: 500 }, (_, s) => [`host-${s}.cpu`, timestamps.map((_t, i) => valueAt(s * rows + i))]),
  );
  return Buffer.from(JSON.stringify({ timestamps, series }));
}

function influxBody() {
  const fields = 5;
  const lines = Array.from({ length: POINTS / fields }, (_, i) => {
    const values = ['user', 'system', 'idle', 'iowait', 'steal'].map((field, f) => `${field}=${valueAt(i * 5 + f)}`);
    return `cpu,host=web-${i % (SERIES / fields)},region=eu-1,cpu=cpu${i % 8} ${values.join(',')} ${NOW - (i % 60)}000000000`;
  });
  return Buffer.from(lines.join('\n'));
}

function remoteWriteBody() {
  const varint = (value) => {
    const bytes = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
    return [...bytes, rest];
  };
  const message = (field, body) => Buffer.concat([Uint8Array.from([(field << 3) | 2, ...varint(body.length)]), body]);
  const label = (name, value) =>
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

/** Bodies as from a loader: each point is of a different series, and bodies of several groups of series alternate. */
function influxRounds() {
  const bodies = 2;
  return Array.from({ length: bodies }, (_, body) => {
    const lines = Array.from({ length: SERIES }, (_unused, i) => {
      const series = body * SERIES + i;
      return `load,host=host-${series % 500},region=eu-1,instance=i${series} value=${valueAt(i)} ${NOW - (i % 60)}000000000`;
    });
    return Buffer.from(lines.join('\n'));
  });
}

function jsonRounds() {
  const bodies = 2;
  return Array.from({ length: bodies }, (_, body) => {
    const metrics = Array.from({ length: SERIES }, (_unused, i) => {
      const series = body * SERIES + i;
      const labels = { host: `host-${series % 500}`, region: 'eu-1', instance: `i${series}` };
      return { metric: 'load', labels, timestamp: NOW - (i % 60), value: valueAt(i) };
    });
    return Buffer.from(JSON.stringify({ metrics }));
  });
}

/** Median time of a round over all bodies: for senders whose names are all new, and for known senders. */
function measure(name, bodies, parse) {
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  const strangers = median(bodies, parse, () => parseLimits(NOW));
  const names = new NameCache();
  const known = median(bodies, parse, () => parseLimits(NOW, { names }));
  const megabytes = (bytes / 1e6).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${strangers.points} points, ${megabytes} MB: new names ${strangers.rate} points/ms, known names ${known.rate} points/ms`,
  );
}

function median(bodies, parse, limitsOf) {
  const times = [];
  let points = 0;
  for (let round = 0; round < ROUNDS; round++) {
    points = 0;
    const start = process.cpuUsage();
    for (const body of bodies) points += parse(body, limitsOf()).batch.count;
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { points, rate: Math.round(points / times[ROUNDS >> 1]) };
}

const json = (bytes, limits) => parseJsonMetrics(readJsonBody(bytes), limits);
const influx = (bytes, limits) => parseInflux(bytes, { precision: 'ns', onBadLine: 'skip' }, limits);

measure('json', [jsonBody()], json);
measure('json, series each', jsonRounds(), json);
measure('json table', [columnarBody()], json);
measure('influx, five fields', [influxBody()], influx);
measure('influx, series each', influxRounds(), influx);
measure('remote write', [remoteWriteBody()], parseRemoteWrite);
measure('remote write, each', remoteWriteRounds(NOW), parseRemoteWrite);

const folding = { folder: new HistogramFolder(), scope: 1, settings: DEFAULT_HISTOGRAM_SETTINGS };
const remoteWrite2 = (bytes, limits) => parseRemoteWrite2(bytes, limits, folding);
measure('remote write 2, each', remoteWrite2Rounds(NOW), remoteWrite2);
measure('native histograms', nativeHistogramRounds(NOW), remoteWrite2);
measure('classic histograms', classicHistogramRounds(NOW), remoteWrite2);

const otlp = (encoding) => (bytes, limits) =>
  parseOtlp(bytes, { encoding, resourceAttributes: ['service.name'], histograms: folding }, limits);
measure('otlp, each', [otlpBody(NOW)], otlp('protobuf'));
measure('otlp json, each', [otlpJsonBody(NOW)], otlp('json'));
measure('otlp histograms', [otlpHistogramBody(NOW)], otlp('protobuf'));

const csv = (bytes, limits) =>
  parseCsv(bytes, { metric: null, timezone: 'Europe/Paris' }, { ...limits, backfill: true });
measure('csv, long', [csvLongBody(NOW)], csv);
measure('csv, wide', [csvWideBody(NOW)], csv);

const graphite = (bytes, limits) => {
  const reader = new GraphiteReader();
  reader.push(bytes, limits);
  return reader.take()[0];
};
measure('graphite, each', [graphiteLines(NOW)], graphite);
