import { readFileSync } from 'node:fs';
import { displayNameOf } from '../names/metric-name.js';
import { join } from 'node:path';
import { parseLimits } from '../batch/limits.js';
import { NameCache } from '../names/name-cache.js';
import { type GraphiteBatch, GraphiteReader } from './graphite-reader.js';

/** Recorded from collectd 5.12 by `scripts/golden/collectd.mjs`. */
const FOLDER = join(import.meta.dirname, '../../../../test/golden/collectd');
const capture = JSON.parse(readFileSync(join(FOLDER, 'capture.json'), 'utf8')) as { ended_at: number; token: string };

function read(file: string, chunkBytes: number): { batches: GraphiteBatch[]; lines: string[][] } {
  const bytes = readFileSync(join(FOLDER, file));
  const reader = new GraphiteReader();
  const limits = parseLimits(capture.ended_at, { names: new NameCache() });
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes), limits);
  reader.end(limits);
  const lines = bytes.toString().trimEnd().split('\r\n');
  return { batches: reader.take(), lines: lines.map((line) => line.split(' ')) };
}

/** Formats points as `name value time`. */
function points({ batch }: GraphiteBatch): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name} ${batch.values[row]!} ${batch.timestamps[row]!}`,
  );
}

describe('collectd with write_graphite', () => {
  it.each([1, 1000, 100_000])('is parsed with dotted names after a token (chunks of %i bytes)', (chunkBytes) => {
    const { batches, lines } = read('dotted.txt', chunkBytes);
    expect(batches.map(({ token }) => token)).toEqual([capture.token]);
    const finite = lines.filter(([, value]) => value !== 'nan');
    expect(points(batches[0]!)).toEqual(
      finite.map(([path, value, time]) => `${path!.slice(capture.token.length + 1)} ${Number(value)} ${time!}`),
    );
    // A rate has no value before the second reading.
    expect(batches[0]!.refusals.countOf('not_finite')).toBe(lines.length - finite.length);
    expect(batches[0]!.refusals.total).toBe(lines.length - finite.length);
  });

  it('is parsed with tagged names', () => {
    const { batches, lines } = read('tagged.txt', 1000);
    expect(batches.map(({ token, refusals }) => [token, refusals.total])).toEqual([[null, 0]]);
    expect(batches[0]!.batch.count).toBe(lines.length);
    const load = batches[0]!.batch.series.find(({ name }) => displayNameOf(name) === 'load.load.shortterm');
    expect(load!.name).toBe('load.load.shortterm{ds_name="shortterm",host="web-1.example",plugin="load",type="load"}');
    const withLabels = lines.map(([path, value, time]) => {
      const [name, ...tags] = path!.split(';');
      const labels = tags.sort().map((tag) => tag.replace('=', '="'));
      return `${name!}{${labels.join('",')}"} ${Number(value)} ${time!}`;
    });
    expect(points(batches[0]!)).toEqual(withLabels);
  });
});
