/**
 * Measures a detection thread that processes records of the log, with the built product but without threads and
 * database: points applied record by record and combined, size and cost of saved pages, and their restore.
 *
 *   npm run bench:pipeline -- [--series 10000] [--rounds 120]
 */
import { parseArgs } from 'node:util';
import { ShardHost } from '../../dist/apps/server/src/analysis/detection/shard-host.js';

const { values: options } = parseArgs({
  options: { series: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '120' } },
});
const series = Number(options.series);
const rounds = Number(options.rounds);
const START = 1_760_000_000 - (1_760_000_000 % 60);
/** Points of a request body, each of a different series. */
const BODY = 5000;
/** Rounds in one read of the log: a partition of eight reads 20,000 points of 10,000 series at a time. */
const TOGETHER = 16;

let state = 12_345;
const noise = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

function round(number) {
  const inputs = [];
  for (let first = 0; first < series; first += BODY) {
    const count = Math.min(BODY, series - first);
    const timestamp = START + number * 60;
    inputs.push({
      kind: 'backfill',
      position: number * 1000 + inputs.length + 1,
      now: timestamp,
      ids: Uint32Array.from({ length: count }, (_, i) => first + i + 1),
      timestamps: new Float64Array(count).fill(timestamp),
      values: Float64Array.from({ length: count }, (_, i) => 50 + 20 * Math.sin((number + i) / 200) + 4 * noise()),
    });
  }
  return inputs;
}

const milliseconds = (work) => {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  return { result, took: (user + system) / 1000 };
};
const perPoint = (took, points) => `${((took * 1e6) / points).toFixed(0)} ns a point`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const host = new ShardHost();
host.handle({ type: 'open', partition: 0, position: 0, appliedPosition: 0 });
const definitions = Array.from({ length: series }, (_, i) => {
  return { id: i + 1, type: 'gauge', aggregation: 'last', slotSeconds: 60, timezone: 'UTC' };
});
host.handle({ type: 'apply', partition: 0, definitions, inputs: [] });

/** Applies rounds [from, from + rounds), `together` at a time. */
function run(from, together) {
  let took = 0;
  for (let first = from; first < from + rounds; first += together) {
    const inputs = [];
    for (let number = first; number < Math.min(from + rounds, first + together); number++)
      inputs.push(...round(number));
    took += milliseconds(() => host.handle({ type: 'apply', partition: 0, definitions: [], inputs })).took;
  }
  return took;
}

run(0, TOGETHER);
console.log(`${series} series, ${rounds} points each, after as many of warm-up`);
console.log(`  one round at a time:   ${perPoint(run(rounds, 1), series * rounds)}`);
console.log(`  ${TOGETHER} rounds together:    ${perPoint(run(2 * rounds, TOGETHER), series * rounds)}`);

const pages = [];
const saving = milliseconds(() => {
  for (;;) {
    const { page } = host.handle({ type: 'savePage', partition: 0 });
    if (!page) return;
    pages.push(page);
  }
}).took;
const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
console.log(
  `  saving ${pages.length} pages:  ${saving.toFixed(0)} ms, ${megabytes(bytes)}, ${(bytes / series).toFixed(0)} bytes a series`,
);

const restoring = milliseconds(() => {
  const other = new ShardHost();
  other.handle({ type: 'open', partition: 0, position: 0, appliedPosition: 0 });
  return other.handle({ type: 'restore', partition: 0, pages }).series;
});
console.log(`  restoring ${restoring.result} series: ${restoring.took.toFixed(0)} ms`);
