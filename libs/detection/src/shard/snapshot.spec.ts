import { readFileSync } from 'node:fs';
import { AGGREGATIONS, METRIC_TYPES } from '#libs/contracts';
import { RECORD_BYTES } from '../series/record/layout.js';
import { dailySine, during, uniform } from '../testing/generators.js';
import { applyAll, definition, interleaved } from '../testing/shard-input.js';
import { DetectionShard } from './detection-shard.js';
import { readSnapshot, SnapshotFormatError, writeSnapshot } from './snapshot.js';
import { SeriesTable } from './series-table.js';

/** Bytes before the definitions. */
const HEADER_BYTES = 24;

/** A table of 300 series of all kinds, some removed, with any bytes as records. */
function anyTable(): SeriesTable {
  const table = new SeriesTable();
  for (let id = 1; id <= 300; id++) {
    table.define({
      id,
      type: METRIC_TYPES[id % METRIC_TYPES.length]!,
      aggregation: AGGREGATIONS[id % AGGREGATIONS.length]!,
      slotSeconds: id % 2 === 0 ? 60 : 300,
      timezone: id % 3 === 0 ? 'Europe/Berlin' : 'UTC',
      ...(id % 5 === 0 && { sensitivity: 2, budgetPerMonth: 10 }),
    });
  }
  for (let id = 1; id <= 300; id += 7) table.remove(id);
  table.define(definition(1000, { timezone: 'Asia/Kathmandu' }));
  const next = uniform(1);
  const any = Uint8Array.from({ length: 2 * RECORD_BYTES }, () => 256 * next());
  for (const [id, place] of table.entries()) table.bytesOf(place).set(any.subarray(id, id + RECORD_BYTES));
  return table;
}

describe('snapshot', () => {
  it('restores every definition and record byte for byte', () => {
    const table = anyTable();
    const bytes = writeSnapshot(table);
    const restored = readSnapshot(bytes);
    expect(Buffer.from(writeSnapshot(restored)).equals(bytes)).toBe(true);
    expect(restored.size).toBe(table.size);
    for (const [id, place] of table.entries()) {
      const there = restored.find(id);
      expect(restored.definition(id, there)).toEqual(table.definition(id, place));
      expect(Buffer.from(restored.bytesOf(there)).equals(table.bytesOf(place))).toBe(true);
    }
  });

  it('neither changes its shard nor shares memory with it', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    shard.define(definition(2));
    const rows = interleaved(1, [dailySine(1), during(dailySine(2), 0.6, 60, (x) => x + 40)]);
    applyAll(shard, rows.slice(0, 2000));
    const bytes = shard.snapshot();
    const kept = bytes.slice();
    expect(Buffer.from(shard.snapshot()).equals(bytes)).toBe(true);
    applyAll(shard, rows.slice(2000));
    expect(Buffer.from(bytes).equals(kept)).toBe(true);
    const restored = DetectionShard.restore(bytes);
    bytes.fill(0);
    expect(Buffer.from(restored.snapshot()).equals(kept)).toBe(true);
    applyAll(restored, rows.slice(2000));
    expect(Buffer.from(restored.snapshot()).equals(shard.snapshot())).toBe(true);
  });

  it('can be read at any offset of a larger buffer', () => {
    const bytes = writeSnapshot(anyTable());
    const larger = new Uint8Array(bytes.length + 11);
    larger.set(bytes, 3);
    const restored = readSnapshot(larger.subarray(3, 3 + bytes.length));
    expect(Buffer.from(writeSnapshot(restored)).equals(bytes)).toBe(true);
  });

  it('has the documented layout: header, definitions as JSON, records', () => {
    const shard = new DetectionShard();
    const definitions = [definition(5), definition(3, { timezone: 'Asia/Tokyo' })];
    definitions.forEach((one) => shard.define(one));
    const bytes = shard.snapshot();
    const header = new DataView(bytes.buffer);
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('PLDS');
    const [version, recordBytes, count, definitionBytes, reserved] = [4, 8, 12, 16, 20].map((at) =>
      header.getUint32(at, true),
    );
    expect(version).toBeGreaterThan(0);
    expect([recordBytes, count, reserved]).toEqual([RECORD_BYTES, 2, 0]);
    expect(definitionBytes! % 8).toBe(0);
    const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + definitionBytes!));
    expect(JSON.parse(text)).toEqual(definitions);
    expect(bytes).toHaveLength(HEADER_BYTES + definitionBytes! + 2 * RECORD_BYTES);
  });

  it('has the same length, however many points a series has had', () => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    const empty = shard.snapshot().length;
    applyAll(shard, interleaved(3, [dailySine(3)]));
    expect(shard.snapshot()).toHaveLength(empty);
  });

  it.each([
    ['a list without the series', '[]'],
    ['not a list', '{"length": 1}'],
    ['not JSON', '[{"id": 1'],
  ])('is rejected with definitions that are %s', (_, text) => {
    const shard = new DetectionShard();
    shard.define(definition(1));
    const bytes = shard.snapshot();
    const length = new DataView(bytes.buffer).getUint32(16, true);
    bytes.set(new TextEncoder().encode(text.padEnd(length)), HEADER_BYTES);
    expect(() => readSnapshot(bytes)).toThrow(SnapshotFormatError);
  });
});

it('a record has about the size that the README states', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documented = /About ([\d.]+) KB per series/.exec(readme)?.[1];
  expect(documented).toBeDefined();
  expect(Math.abs(RECORD_BYTES / 1000 - Number(documented))).toBeLessThanOrEqual(0.5);
});
