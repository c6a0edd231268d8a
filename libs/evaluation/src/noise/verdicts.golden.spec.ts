import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnomalyEvent, detectSeries } from '#libs/detection';
import {
  demoSeries,
  QUIET_KIND_NAMES,
  quietSeries,
  seriesColumns,
  SPECIAL_KIND_NAMES,
  specialSeries,
  withTroubles,
} from '#libs/synthetic';
import { expectGolden } from '../../../../test/support/golden.js';

const DAY = 86_400;
const EPOCH = 1_760_054_400;
const FILE = 'verdicts.txt';

interface Columns {
  timestamps: Float64Array;
  values: Float64Array;
}

interface Case {
  name: string;
  columns: () => Columns;
  type?: 'gauge' | 'counter' | 'rate';
}

/** Four weeks of five minutes each. */
const quiet: readonly Case[] = QUIET_KIND_NAMES.map((kind) => ({
  name: `${kind}, quiet`,
  columns: () => quietSeries(kind, 501, 28, 300),
}));
const anomalous: readonly Case[] = QUIET_KIND_NAMES.map((kind) => ({
  name: `${kind}, with trouble`,
  columns: () => withTroubles(quietSeries(kind, 502, 28, 300), 502, 15).series,
}));
const special: readonly Case[] = SPECIAL_KIND_NAMES.map((kind) => ({
  name: `special: ${kind}`,
  columns: () => specialSeries(kind, 503),
}));
/** Ten days of minutes: gauges and a counter. */
const SHOP = demoSeries({ epoch: EPOCH });
const demo: readonly Case[] = [SHOP[2]!, SHOP.at(-1)!, SHOP.find(({ type }) => type === 'counter')!].map((series) => ({
  name: `demo: ${series.name}`,
  type: series.type,
  columns: () => seriesColumns(series, EPOCH, EPOCH + 10 * DAY, 60),
}));
const CASES: readonly Case[] = [...quiet, ...anomalous, ...special, ...demo];

/** A line of the golden file: a hash of all verdicts of a series, and the number of its anomalies by kind. */
function lineOf({ name, columns, type = 'gauge' }: Case): string {
  const { timestamps, values } = columns();
  const verdicts = detectSeries(timestamps, values, { type, timezone: 'UTC' });
  const hash = createHash('sha256');
  for (const column of [verdicts.yhat, verdicts.lower, verdicts.upper, verdicts.alarm]) {
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  hash.update(verdicts.anomalous).update(verdicts.kind).update(JSON.stringify(verdicts.anomalies));
  return `${name}: ${hash.digest('hex').slice(0, 16)} ${openedText(verdicts.anomalies)}`;
}

function openedText(anomalies: readonly AnomalyEvent[]): string {
  const last = new Map(anomalies.map((event) => [event.startTimestamp, event]));
  const counts = new Map<string, number>();
  for (const { kind } of last.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

describe('verdicts of fifty seeded series', () => {
  it('match the golden file bit for bit (npm run golden:verdicts rewrites it)', () => {
    const lines = CASES.map(lineOf);
    expect(lines).toHaveLength(50);
    const text = `${lines.join('\n')}\n`;
    if (process.env.PLUMBLINE_WRITE_GOLDEN === '1') expectGolden(FILE, text);
    const golden = readFileSync(resolve(import.meta.dirname, '../../../../test/golden', FILE), 'utf8');
    const before = new Map(
      golden
        .trim()
        .split('\n')
        .map((line) => [line.split(': ').slice(0, -1).join(': '), line]),
    );
    const changed = lines.filter((line) => before.get(line.split(': ').slice(0, -1).join(': ')) !== line);
    expect(changed).toEqual([]);
    expect(text).toBe(golden);
  });
});
