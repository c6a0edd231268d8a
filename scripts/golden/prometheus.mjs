/**
 * `node scripts/golden/prometheus.mjs [--out FOLDER]`: records for `test/golden/prometheus` what a real Prometheus
 * (Debian package `prometheus`) sends by remote write 1.0. It scrapes two targets of this script: one in text form
 * (counter, gauge, histogram with classic buckets, summary without observations, a series that ends, a counter that is
 * reset), one in protobuf form (native histogram). Bodies are stored unchanged, with snappy compression; `capture.json`
 * has their times and the quantiles that Prometheus returns for the recorded histogram.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import protobuf from 'protobufjs';

const { values: options } = parseArgs({ options: { out: { type: 'string', default: 'test/golden/prometheus' } } });
const SCRAPES = 8;
const QUANTILES = [0.1, 0.5, 0.9, 0.95, 0.99, 1];
const OFFSET_SECONDS = 3;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Seeded, so that two recordings differ only in their times. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const nextNumber = random(42);
const durations = { counts: new Array(BOUNDS.length + 1).fill(0), sum: 0, count: 0 };

function observe(times) {
  for (let i = 0; i < times; i++) {
    const seconds = 0.08 * Math.exp(1.2 * (nextNumber() + nextNumber() + nextNumber() - 1.5) * 2);
    const at = BOUNDS.findIndex((bound) => seconds <= bound);
    durations.counts[at < 0 ? BOUNDS.length : at]++;
    durations.sum += seconds;
    durations.count++;
  }
}

let scrapes = 0;

function textMetrics() {
  scrapes++;
  observe(100 + scrapes);
  let upTo = 0;
  const buckets = durations.counts.map((count, i) => {
    upTo += count;
    return `golden_duration_seconds_bucket{route="/a b",le="${BOUNDS[i] ?? '+Inf'}"} ${upTo}`;
  });
  return [
    '# HELP golden_requests_total Requests "answered".',
    '# TYPE golden_requests_total counter',
    // The counter restarts at the fifth scrape.
    `golden_requests_total{code="200",method="get"} ${scrapes < 5 ? scrapes * 10 : scrapes}`,
    '# HELP golden_temperature_celsius Temperature.',
    '# TYPE golden_temperature_celsius gauge',
    `golden_temperature_celsius{room="caf\u00e9 \\"Z\\"\\n",Stock="\u65e5\u672c"} ${-3.5 + scrapes / 8}`,
    '# TYPE golden_leaving gauge',
    ...(scrapes < 4 ? ['golden_leaving 1'] : []),
    '# HELP golden_duration_seconds Time to answer.',
    '# TYPE golden_duration_seconds histogram',
    ...buckets,
    `golden_duration_seconds_sum{route="/a b"} ${durations.sum}`,
    `golden_duration_seconds_count{route="/a b"} ${durations.count}`,
    '# TYPE golden_idle_seconds summary',
    'golden_idle_seconds{quantile="0.5"} NaN',
    'golden_idle_seconds_sum 0',
    'golden_idle_seconds_count 0',
    '',
  ].join('\n');
}

/** The protobuf exposition format, the only one with native histograms. Source: prometheus/client_model. */
const MetricFamily = protobuf
  .parse(
    `syntax = "proto2";
    message LabelPair { optional string name = 1; optional string value = 2; }
    message BucketSpan { optional sint32 offset = 1; optional uint32 length = 2; }
    message Histogram {
      optional uint64 sample_count = 1; optional double sample_sum = 2; optional sint32 schema = 5;
      optional double zero_threshold = 6; optional uint64 zero_count = 7; repeated BucketSpan negative_span = 9;
      repeated sint64 negative_delta = 10; repeated BucketSpan positive_span = 12; repeated sint64 positive_delta = 13;
    }
    message Metric { repeated LabelPair label = 1; optional Histogram histogram = 7; }
    message MetricFamily { optional string name = 1; optional string help = 2; optional int32 type = 3; repeated Metric metric = 4; }`,
    { keepCase: true },
  )
  .root.lookupType('MetricFamily');

let nativeScrapes = 0;

/**
 * A histogram with two spans with a gap, a zero bucket and a negative bucket; every scrape adds one observation to
 * each.
 */
function nativeMetrics() {
  const n = ++nativeScrapes;
  const histogram = {
    sample_count: 7 * n,
    sample_sum: 12.5 * n,
    schema: 1,
    zero_threshold: 0.001,
    zero_count: n,
    negative_span: [{ offset: 0, length: 1 }],
    negative_delta: [n],
    positive_span: [
      { offset: -1, length: 2 },
      { offset: 2, length: 2 },
    ],
    positive_delta: [n, 0, n, -n],
  };
  const metric = [{ label: [{ name: 'shard', value: '1' }], histogram }];
  // 4 is HISTOGRAM.
  const family = { name: 'golden_native_seconds', help: 'A native histogram.', type: 4, metric };
  return MetricFamily.encodeDelimited(MetricFamily.create(family)).finish();
}

const bodies = [];

const server = createServer((request, response) => {
  if (request.url === '/metrics') {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4').end(textMetrics());
  } else if (request.url === '/native') {
    const type = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
    response.setHeader('Content-Type', type).end(nativeMetrics());
  } else {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push({ receivedAt: Date.now() / 1000, bytes: Buffer.concat(chunks), headers: request.headers });
      response.writeHead(204).end();
    });
  }
});

async function listen(listener) {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return listener.address().port;
}

const port = await listen(server);
const probe = createServer();
const prometheusPort = await listen(probe);
probe.close();

const folder = await mkdtemp(join(tmpdir(), 'golden-prometheus-'));
await writeFile(
  join(folder, 'prometheus.yml'),
  `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: text
    static_configs: [{ targets: ['127.0.0.1:${port}'], labels: { instance: 'golden:9100' } }]
  - job_name: native
    metrics_path: /native
    static_configs: [{ targets: ['127.0.0.1:${port}'], labels: { instance: 'golden:9101' } }]
remote_write:
  - url: http://127.0.0.1:${port}/write
    send_native_histograms: true
    queue_config: { max_shards: 1, batch_send_deadline: 1s }
    metadata_config: { send_interval: 3s }
`,
);
const prometheus = spawn(
  'prometheus',
  [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--enable-feature=native-histograms',
    '--log.level=error',
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function query(text, time) {
  const parameters = new URLSearchParams({ query: text, time: String(time) });
  const answer = await (await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/query?${parameters}`)).json();
  return Number(answer.data.result[0].value[1]);
}

try {
  for (let i = 0; i < 60 && (scrapes < SCRAPES || bodies.length < SCRAPES); i++) await wait(500);
  const time = Math.floor(bodies.at(-1).receivedAt) - 1;
  const series = 'golden_duration_seconds_bucket';
  const quantiles = [];
  for (const q of QUANTILES) {
    const value = await query(`histogram_quantile(${q}, ${series} - ${series} offset ${OFFSET_SECONDS}s)`, time);
    quantiles.push([q, value]);
  }
  await mkdir(options.out, { recursive: true });
  const files = [];
  for (const [i, { bytes }] of bodies.entries()) {
    const name = `body-${String(i + 1).padStart(2, '0')}.snappy`;
    await writeFile(join(options.out, name), bytes);
    files.push(name);
  }
  const { 'user-agent': userAgent, 'content-type': contentType } = bodies[0].headers;
  const capture = {
    userAgent,
    contentType,
    version: bodies[0].headers['x-prometheus-remote-write-version'],
    receivedAt: bodies.at(-1).receivedAt,
    files,
    quantiles: { series, time, offsetSeconds: OFFSET_SECONDS, values: quantiles },
  };
  await writeFile(join(options.out, 'capture.json'), `${JSON.stringify(capture, null, 2)}\n`);
  console.log(`${files.length} bodies, ${bodies.reduce((sum, { bytes }) => sum + bytes.length, 0)} bytes`);
} finally {
  const exited = once(prometheus, 'exit');
  prometheus.kill('SIGTERM');
  await exited;
  server.close();
  await rm(folder, { recursive: true, force: true });
}
