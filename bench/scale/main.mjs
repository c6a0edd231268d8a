/**
 * Computes the cost of a number of series with one point a minute from the cost of one point and one series, which is
 * measured here with the built product: bytes without a database, processor time of the detector in a short run.
 * docs/scale.md explains the table.
 *
 *   npm run bench:scale -- [--series 20000] [--slots 20] [--smoke] [--json FILE]
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { uncompressSync } from 'snappy';
import { openPayload, storedBytes } from '../../dist/libs/point-log/src/common/payload.js';
import { encodePoints } from '../../dist/libs/series/src/codec/point-block.js';
import { ShardHost } from '../../dist/apps/server/src/analysis/detection/shard-host.js';
import { describeMachine, machineLines } from '../machine.mjs';
import { sizesOf } from './model.mjs';

const { values: options } = parseArgs({
  options: {
    series: { type: 'string', default: '20000' },
    slots: { type: 'string', default: '20' },
    smoke: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const series = options.smoke ? 1024 : Number(options.series);
const slots = options.smoke ? 4 : Number(options.slots);
const START = 1_760_000_000 - (1_760_000_000 % 60);
/** A record of the log: the part of one partition of a body of 5,000 points. */
const RECORD_POINTS = 625;
/** Overhead of a record: headers, keys, index (docs/guide/jetstream.md). */
const RECORD_BYTES = 200;

const machine = describeMachine();
let state = 12_345;
const noise = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
const valueOf = (id, slot) => Math.round((50 + (id % 40) + 20 * Math.sin((slot + id) / 200) + 4 * noise()) * 100) / 100;

const host = new ShardHost();
host.handle({ type: 'open', partition: 0, position: 0, appliedPosition: 0 });
const definitions = Array.from({ length: series }, (_, i) => {
  return { id: i + 1, type: 'gauge', aggregation: 'last', slotSeconds: 60, timezone: 'Europe/Berlin' };
});
globalThis.gc?.();
const before = process.memoryUsage();
host.handle({ type: 'apply', partition: 0, definitions, inputs: [] });

let position = 0;
function apply(slot) {
  const inputs = [];
  for (let first = 0; first < series; first += RECORD_POINTS) {
    const ids = Uint32Array.from({ length: Math.min(RECORD_POINTS, series - first) }, (_, i) => first + i + 1);
    const timestamp = START + slot * 60;
    inputs.push({
      ...{ kind: 'live', position: ++position, now: timestamp + 1, ids },
      timestamps: new Float64Array(ids.length).fill(timestamp),
      values: Float64Array.from(ids, (id) => valueOf(id, slot)),
    });
  }
  return host.handle({ type: 'apply', partition: 0, definitions: [], inputs });
}
// The first slots create the records; the later ones show the steady state.
for (let slot = 0; slot < slots; slot++) apply(slot);
const began = process.cpuUsage();
for (let slot = slots; slot < 2 * slots; slot++) apply(slot);
const { user, system } = process.cpuUsage(began);
globalThis.gc?.();
const after = process.memoryUsage();

let pageBytes = 0;
let definitionBytes = 0;
let rawBytes = 0;
let pages = 0;
for (;;) {
  const { page } = host.handle({ type: 'savePage', partition: 0 });
  if (!page) break;
  pageBytes += page.bytes.byteLength;
  definitionBytes += page.definitions.byteLength;
  rawBytes += uncompressSync(Buffer.from(page.bytes)).byteLength;
  pages++;
}

/** A day of minutes as the block of one series. */
function storedBytesOfDay(id) {
  const slotsOfDay = 1440;
  const timestamps = Float64Array.from({ length: slotsOfDay }, (_, slot) => START + slot * 60);
  const values = Float64Array.from({ length: slotsOfDay }, (_, slot) => valueOf(id, slot));
  return encodePoints(timestamps, values, slotsOfDay).byteLength / slotsOfDay;
}

/** Memory in use after garbage collection. */
const heldBy = ({ heapUsed, external }) => heapUsed + external;

const measured = {
  series,
  memoryPerSeries: (heldBy(after) - heldBy(before)) / series,
  /** For series that have learnt little, because zeros compress well. The next figure is the maximum for any series. */
  youngStateBytesPerSeries: pageBytes / series,
  stateBytesPerSeries: rawBytes / series,
  definitionBytesPerSeries: definitionBytes / series,
  detectorMicroseconds: (user + system) / (series * slots),
  logBytesPerPoint: (storedBytes(openPayload(RECORD_POINTS)).byteLength + RECORD_BYTES) / RECORD_POINTS,
  chunkBytesPerPoint: storedBytes(openPayload(RECORD_POINTS)).byteLength / RECORD_POINTS,
  storedBytesPerPoint:
    Array.from({ length: 20 }, (_, id) => storedBytesOfDay(id)).reduce((sum, bytes) => sum + bytes) / 20,
};
const rows = [100_000, 1_000_000, 10_000_000].map((count) => sizesOf(count, measured));

for (const line of machineLines(machine, options.smoke)) console.log(line);
console.log(`\nMeasured with ${series} series in ${pages} pages, ${2 * slots} slots:`);
console.log(`  ${measured.memoryPerSeries.toFixed(0)} bytes of memory a series in the detector`);
console.log(
  `  ${measured.stateBytesPerSeries.toFixed(0)} bytes a series in a page, ${measured.youngStateBytesPerSeries.toFixed(0)} compressed so early`,
);
console.log(`  ${measured.definitionBytesPerSeries.toFixed(1)} bytes a series in the row of a page that is an object`);
console.log(`  ${measured.detectorMicroseconds.toFixed(2)} µs of a processor a point in the detector`);
console.log(
  `  ${measured.logBytesPerPoint.toFixed(1)} bytes a point in the log, ${measured.storedBytesPerPoint.toFixed(2)} in a block of a day\n`,
);
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
if (options.json) await writeFile(options.json, JSON.stringify({ machine, measured, rows }, null, 2));
