/**
 * Measures the additional cost of thresholds: watchers over many metrics with one point a minute each, evaluated by the
 * built product without a database. Prints the share of one core that they use, next to that of the detector with the
 * same points.
 *
 *   npm run bench:watchers -- [--watchers 500] [--metrics 200000] [--minutes 30]
 */
import { parseArgs } from 'node:util';
import { ShardHost } from '../../dist/apps/server/src/analysis/detection/shard-host.js';
import { PartitionThresholds } from '../../dist/apps/server/src/alerting/threshold/partition-thresholds.js';
import { compileChips } from '../../dist/apps/server/src/data/chips/chips-match.js';
import { parseChips } from '../../dist/apps/server/src/data/chips/chips.js';

const { values: options } = parseArgs({
  options: {
    watchers: { type: 'string', default: '500' },
    metrics: { type: 'string', default: '200000' },
    minutes: { type: 'string', default: '30' },
  },
});
const metricsCount = Number(options.metrics);
const minutes = Number(options.minutes);
const ORG = 1;
const START = 1_760_000_040;
/** Points of a record of the log. */
const RECORD = 5000;

const NONE = {
  value: null,
  valueUpper: null,
  timesInARow: 1,
  function: 'none',
  functionSeconds: null,
  minimumAvg: null,
  minimumAvgSeconds: null,
  dropPercent: null,
};
/** A mixture: most rules are plain, some use windows. */
const RULES = [
  { ...NONE, algorithm: 'above', value: 90 },
  { ...NONE, algorithm: 'below', value: 5, timesInARow: 3 },
  { ...NONE, algorithm: 'outside', value: 5, valueUpper: 90, timesInARow: 2 },
  { ...NONE, algorithm: 'above', value: 80, function: 'mean', functionSeconds: 300 },
  { ...NONE, algorithm: 'drop_off', minimumAvg: 10, minimumAvgSeconds: 3600, dropPercent: 90 },
  { ...NONE, algorithm: 'no_data', value: 600 },
];
const groups = Number(options.watchers);
// Half of the watchers each select a group of metrics, so that each metric has one; the others each select a tenth of
// such a group.
const watchers = Array.from({ length: groups }, (_, i) => {
  const chips = [`group:g${Math.floor(i / 2)}`, ...(i % 2 === 0 ? [] : [`tenth:${i % 10}`])];
  const parsedChips = parseChips(chips);
  return {
    id: i + 1,
    orgId: ORG,
    name: `watcher ${i}`,
    chips,
    rule: RULES[Math.floor(i / 2) % RULES.length],
    parsedChips,
    covers: compileChips(parsedChips),
    isShifting: false,
  };
});
const metric = (id) => ({
  id,
  name: `host-${id % 1000}.cpu-${id}`,
  labels: { group: `g${id % Math.ceil(groups / 2)}`, tenth: String(Math.floor(id / 250) % 10) },
  source: 'http',
  type: 'gauge',
  state: 'active',
  resolutionSeconds: 60,
  lastTimestamp: START - 60,
});
const thresholds = new PartitionThresholds(
  { generation: 1, watchers: new Map(watchers.map((one) => [one.id, one])), ofOrg: () => watchers },
  {
    selected: () => Promise.resolve([]),
    metrics: (ids) => Promise.resolve(ids.map(metric)),
    history: () => Promise.resolve({ timestamps: new Float64Array(0), values: new Float64Array(0) }),
  },
  [],
);

let state = 12_345;
const noise = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

function outputsOf(minute) {
  const now = START + minute * 60;
  const outputs = [];
  for (let first = 0; first < metricsCount; first += RECORD) {
    const length = Math.min(RECORD, metricsCount - first);
    outputs.push({
      kind: 'live',
      now,
      slots: {
        ids: Uint32Array.from({ length }, (_, i) => first + i + 1),
        timestamps: new Float64Array(length).fill(now),
        values: Float64Array.from({ length }, () => 4 + 88 * noise()),
      },
      events: [],
    });
  }
  return outputs;
}

const TICK = {
  kind: 'tick',
  slots: { ids: new Uint32Array(0), timestamps: new Float64Array(0), values: new Float64Array(0) },
};
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

let found = 0;
async function minute(number) {
  const outputs = outputsOf(number);
  const before = seconds();
  for (const output of outputs) {
    await thresholds.prepare([output], () => ORG);
    found += thresholds.look([output]).length;
  }
  const tick = [{ ...TICK, now: START + number * 60 + 59 }];
  await thresholds.prepare(tick, () => ORG);
  found += thresholds.look(tick).length;
  return seconds() - before;
}

const first = await minute(0);
// Fills windows and warms up the code.
for (let number = 1; number <= 60; number++) await minute(number);
global.gc?.();
let elapsed = 0;
for (let number = 61; number <= 60 + minutes; number++) elapsed += await minute(number);
const perMinute = elapsed / minutes;

const host = new ShardHost();
host.handle({ type: 'open', partition: 0, position: 0, appliedPosition: 0 });
const sample = Math.min(20_000, metricsCount);
const definitions = Array.from({ length: sample }, (_, i) => {
  return { id: i + 1, type: 'gauge', aggregation: 'last', slotSeconds: 60, timezone: 'UTC' };
});
host.handle({ type: 'apply', partition: 0, definitions, inputs: [] });
let detecting = 0;
for (let number = 0; number < 10; number++) {
  const timestamp = START + number * 60;
  const input = {
    kind: 'live',
    position: number + 1,
    now: timestamp,
    ids: Uint32Array.from({ length: sample }, (_, i) => i + 1),
    timestamps: new Float64Array(sample).fill(timestamp),
    values: Float64Array.from({ length: sample }, () => 30 + 40 * noise()),
  };
  const before = seconds();
  host.handle({ type: 'apply', partition: 0, definitions: [], inputs: [input] });
  if (number >= 5) detecting += seconds() - before;
}
const detector = ((detecting / 5) * metricsCount) / sample;

const pairs = thresholds.size;
const percent = (cpuSeconds) => `${((100 * cpuSeconds) / 60).toFixed(2)} % of a core`;
console.log(
  `${watchers.length} watchers, ${metricsCount} metrics, ${pairs} pairs, a point a minute each; ${found} changes found`,
);
console.log(
  `  thresholds:                 ${percent(perMinute)} (${((perMinute * 1e9) / metricsCount).toFixed(0)} ns a point)`,
);
console.log(`  the detector on the same:   ${percent(detector)}`);
console.log(`  first minute, all matched:  ${first.toFixed(2)} s of processor time once`);
console.log(`  memory:                     ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB of heap`);
