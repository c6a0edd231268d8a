/**
 * Seeded series of eight kinds, one value a minute, as a pure function of (series, step). Fast enough for tens of
 * millions of points: noise is read from a table, in a different order for each series.
 */

/** Wednesday, 1 January 2025, 00:00 UTC. */
const START = 1_735_689_600;
const STEP_SECONDS = 60;
const DAY_STEPS = 1440;
const NOISE_SIZE = 2 ** 16;
/** A series has trouble for this many steps, about every four days. */
const TROUBLE_STEPS = 32;
const TROUBLE_ONE_IN = 200;
/** Ids are not dense: a shard contains one partition of all metrics. */
const ID_STRIDE = 16;

const noise = normalNoise(1);
const dayWave = Float64Array.from({ length: DAY_STEPS }, (_, i) => Math.sin((2 * Math.PI * i) / DAY_STEPS));

const KINDS = [
  // A daily wave.
  { type: 'gauge', aggregation: 'avg', value: (step, z) => 100 + 30 * dayWave[step % DAY_STEPS] + 3 * z },
  // Noise around a level.
  { type: 'gauge', aggregation: 'last', value: (_, z) => 20 + z },
  // Slow wandering.
  { type: 'gauge', aggregation: 'last', value: (step, z) => 50 * Math.sin(step / 700) + 20 * Math.sin(step / 97) + z },
  // A counter that restarts every five thousand steps.
  {
    type: 'counter',
    aggregation: 'last',
    value: (step, z) => (step % 5000) * 600 + 100 * Math.max(-2.9, Math.min(2.9, z)),
  },
  // Counts that are mostly zero.
  { type: 'gauge', aggregation: 'sum', value: (_, z) => (z > 2 ? Math.floor(z) : 0) },
  // Few different values.
  { type: 'gauge', aggregation: 'max', value: (_, z) => Math.round(4 + z) },
  // Response times.
  { type: 'gauge', aggregation: 'avg', value: (_, z) => 0.2 * Math.exp(0.5 * z) },
  // Quiet at the weekend.
  {
    type: 'gauge',
    aggregation: 'min',
    value: (step, z) => (isWeekend(step) ? 20 : 100 + 30 * dayWave[step % DAY_STEPS]) + z,
  },
];

/** Definition of a series; a separate copy, like definitions that come from another thread. */
export function definitionOf(series) {
  const { type, aggregation } = KINDS[series % KINDS.length];
  return structuredClone({
    id: idOf(series),
    type,
    aggregation,
    slotSeconds: STEP_SECONDS,
    timezone: Math.floor(series / KINDS.length) % 2 === 0 ? 'Europe/Berlin' : 'UTC',
  });
}

function idOf(series) {
  return 1 + series * ID_STRIDE;
}

export function placeOf(id) {
  return (id - 1) / ID_STRIDE;
}

function timestampOf(step) {
  return START + step * STEP_SECONDS;
}

function valueOf(series, step) {
  const z = noise[(hash(series) + step * (2 * series + 1)) & (NOISE_SIZE - 1)];
  const { type, value } = KINDS[series % KINDS.length];
  const usual = value(step, z);
  const isTrouble = hash(series * 7919 + Math.floor(step / TROUBLE_STEPS)) % TROUBLE_ONE_IN === 0;
  return isTrouble && type !== 'counter' ? usual + 0.5 * Math.abs(usual) + 5 : usual;
}

/** Steps [from, until) of `count` series, one series after the other, as one input for a shard. */
export function seriesBySeries(kind, firstSeries, count, from, until) {
  const steps = until - from;
  const input = emptyInput(kind, count * steps);
  for (let row = 0; row < count * steps; row++) {
    setRow(input, row, firstSeries + Math.floor(row / steps), from + (row % steps));
  }
  return input;
}

/**
 * `batches` live inputs of `size` points: the first `series` series in alternation, step after step from step `from`
 * on.
 */
export function roundRobin(series, from, size, batches) {
  return Array.from({ length: batches }, (_, batch) => {
    const input = emptyInput('live', size);
    for (let row = 0; row < size; row++) {
      const point = batch * size + row;
      setRow(input, row, point % series, from + Math.floor(point / series));
    }
    return input;
  });
}

export function emptyInput(kind, rows) {
  return {
    kind,
    now: 0,
    ids: new Uint32Array(rows),
    timestamps: new Float64Array(rows),
    values: new Float64Array(rows),
  };
}

/** Writes the point of a series at a step into an input. */
export function setRow(input, row, series, step) {
  input.ids[row] = idOf(series);
  input.timestamps[row] = timestampOf(step);
  input.values[row] = valueOf(series, step);
  input.now = Math.max(input.now, input.timestamps[row]);
}

function isWeekend(step) {
  // The first day is a Wednesday.
  const weekday = (Math.floor(step / DAY_STEPS) + 3) % 7;
  return weekday === 6 || weekday === 0;
}

/** Normal numbers (Box-Muller) of uniform ones (mulberry32). */
function normalNoise(seed) {
  let state = seed | 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return Float64Array.from(
    { length: NOISE_SIZE },
    () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}

/** 32 mixed bits of an integer: the finaliser of MurmurHash3 (Austin Appleby, public domain). */
function hash(place) {
  let h = place | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
