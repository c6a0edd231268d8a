import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uncompressSync } from 'snappy';
import { parseLimits } from '../batch/limits.js';
import { ClassicBuckets } from '../histograms/classic-buckets.js';
import { HistogramFolder } from '../histograms/histogram-folder.js';
import { type HistogramSettings } from '../histograms/histogram-settings.js';
import { NameCache } from '../names/name-cache.js';
import { parseRemoteWrite } from './parse-remote-write.js';
import { countWritten, type RemoteWriteResult } from './remote-write-body.js';
import { snappyUncompressedLength } from './snappy-length.js';

/** Recorded from Prometheus 2.42 by `scripts/golden/prometheus.mjs`. */
const FOLDER = join(import.meta.dirname, '../../../../test/golden/prometheus');

interface Capture {
  receivedAt: number;
  files: string[];
  quantiles: { series: string; time: number; offsetSeconds: number; values: [quantile: number, value: number][] };
}

const capture = JSON.parse(readFileSync(join(FOLDER, 'capture.json'), 'utf8')) as Capture;
const bodies = capture.files.map((file) => {
  const compressed = readFileSync(join(FOLDER, file));
  const bytes = uncompressSync(compressed, { asBuffer: true }) as Buffer;
  expect(snappyUncompressedLength(compressed)).toBe(bytes.length);
  return bytes;
});

function parseAll(settings: HistogramSettings, slotSeconds = 60): RemoteWriteResult[] {
  const folder = new HistogramFolder({ slotSeconds });
  const names = new NameCache();
  return bodies.map((bytes) =>
    parseRemoteWrite(bytes, parseLimits(capture.receivedAt, { names }), { folder, scope: 1, settings }),
  );
}

interface Row {
  name: string;
  timestamp: number;
  value: number;
}

function rowsOf(results: RemoteWriteResult[]): Row[] {
  return results.flatMap(({ batch }) =>
    Array.from(batch.values, (value, row) => ({
      name: batch.series[batch.seriesIndex[row]!]!.name,
      timestamp: batch.timestamps[row]!,
      value,
    })),
  );
}

function valuesOf(rows: Row[], name: string): number[] {
  return rows.filter((row) => row.name === name).map(({ value }) => value);
}

describe('bodies recorded from Prometheus', () => {
  const results = parseAll({ mode: 'buckets', quantiles: [] });
  const rows = rowsOf(results);

  it('contain the scraped series with all their values', () => {
    const counter = valuesOf(rows, 'golden_requests_total{code="200",instance="golden:9100",job="text",method="get"}');
    expect(counter.slice(0, 7)).toEqual([10, 20, 30, 40, 5, 6, 7]);
    const gauge = valuesOf(
      rows,
      'golden_temperature_celsius{Stock="日本",instance="golden:9100",job="text",room="café \\"Z\\"\\n"}',
    );
    expect(gauge.slice(0, 3)).toEqual([-3.375, -3.25, -3.125]);
    const up = valuesOf(rows, 'up{instance="golden:9101",job="native"}');
    expect(new Set(up)).toEqual(new Set([1]));
  });

  it('have only the quantile of an empty summary refused', () => {
    const refused = results.flatMap(({ refusals }) => [...refusals.metrics.keys()]);
    expect(new Set(refused)).toEqual(
      new Set(['golden_idle_seconds{instance="golden:9100",job="text",quantile="0.5"}']),
    );
    expect(results.every(({ refusals }) => refusals.total === refusals.countOf('not_finite'))).toBe(true);
  });

  it('end the series that was no longer scraped', () => {
    const ended = results.flatMap((result) => result.ended.map(({ name }) => name));
    expect(ended).toEqual(['golden_leaving{instance="golden:9100",job="text"}']);
    expect(valuesOf(rows, ended[0]!)).toEqual([1, 1, 1]);
  });

  it('count every sample and histogram as written, except refused ones', () => {
    const written = results.map((result) => countWritten(result, result.batch));
    const histograms = valuesOf(rows, 'golden_native_seconds_count{instance="golden:9101",job="native",shard="1"}');
    expect(written.reduce((sum, counts) => sum + counts.histograms, 0)).toBe(histograms.length);
    const samples = rows.filter(({ name }) => !name.startsWith('golden_native'));
    expect(written.reduce((sum, counts) => sum + counts.samples, 0)).toBe(samples.length + 1);
  });

  it('contain the metadata of the families', () => {
    const metadata = results.flatMap((result) => result.metadata);
    const byFamily = Object.fromEntries(metadata.map(({ family, kind, help }) => [family, [kind, help]]));
    expect(byFamily).toMatchObject({
      golden_requests_total: ['counter', 'Requests "answered".'],
      golden_temperature_celsius: ['gauge', 'Temperature.'],
      golden_duration_seconds: ['histogram', 'Time to answer.'],
      golden_idle_seconds: ['summary', ''],
      golden_native_seconds: ['histogram', 'A native histogram.'],
    });
  });

  it('contain the buckets of the native histogram', () => {
    const labels = 'instance="golden:9101",job="native"';
    const counts = valuesOf(rows, `golden_native_seconds_count{${labels},shard="1"}`);
    expect(counts.slice(0, 3)).toEqual([7, 14, 21]);
    // Schema 1 has two buckets per doubling. The spans are one negative bucket, then two, and after a gap two more.
    const bounds = [-(2 ** -0.5), 0.001, 2 ** -0.5, 1, 2 ** 1.5, 4, Infinity];
    const third = bounds.map((bound) => {
      const le = bound === Infinity ? '+Inf' : String(bound);
      return valuesOf(
        rows,
        `golden_native_seconds_bucket{instance="golden:9101",job="native",le="${le}",shard="1"}`,
      )[2];
    });
    // Three scrapes with one observation in each finite bucket, and two in the fifth.
    expect(third).toEqual([3, 6, 9, 12, 18, 21, 21]);
  });

  it('yield the quantiles that Prometheus itself returns', () => {
    const { series, time, offsetSeconds, values } = capture.quantiles;
    const buckets = new ClassicBuckets();
    for (const [slot, at] of [time - offsetSeconds, time].entries()) {
      const latest = new Map<string, Row>();
      for (const row of rows) if (row.name.startsWith(series) && row.timestamp <= at) latest.set(row.name, row);
      for (const row of latest.values()) {
        const le = /le="([^"]+)"/.exec(row.name)![1]!;
        buckets.put(le === '+Inf' ? Infinity : Number(le), row.timestamp, row.value, slot);
      }
    }
    const mine = buckets.increase(false)!.quantiles(values.map(([quantile]) => quantile));
    mine.forEach((value, i) => expect(value).toBeCloseTo(values[i]![1], 12));
  });

  it('yield one value per slot and quantile with cached names', () => {
    const folded = rowsOf(parseAll({ mode: 'quantiles', quantiles: [0.5, 0.9] }, 1));
    const median = folded.filter(({ name }) => /^golden_duration_seconds\{.*quantile="0.5"/.test(name));
    const counts = folded.filter(({ name }) => name.startsWith('golden_duration_seconds_count'));
    expect(median.map(({ timestamp }) => timestamp)).toEqual(counts.slice(1).map(({ timestamp }) => timestamp));
    expect(folded.filter(({ name }) => name.includes('_bucket'))).toEqual([]);
    expect(folded.filter(({ name }) => /^golden_native_seconds\{.*quantile="0.9"/.test(name))).toHaveLength(
      counts.length - 1,
    );
  });
});
