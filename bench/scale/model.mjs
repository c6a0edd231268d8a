/** Computed sizes of an installation. Each constant states its source; docs/scale.md lists them. */

/** Names, ids and terms of a metric in the process (docs/performance.md, "A million series"). */
const NAME_BYTES = 800;
/** Memory of each process without its series (docs/performance.md, "Steady load"). */
const PROCESS_BYTES = 0.5e9;
/**
 * Total processor time per point: in full batches (docs/performance.md, "Throughput", 2026-11-28, without the share of
 * the detector), and with one point a minute, by the number of series ("A million series").
 */
const OTHER_MICROSECONDS = 5.85 - 3.07;
const POINT_A_MINUTE_MICROSECONDS = [
  [1_000_000, 44],
  [500_000, 67],
  [100_000, 179],
  [0, 1052],
];
/** Defaults of PLUMBLINE_CHECKPOINT_SECONDS and PLUMBLINE_CHECKPOINT_BYTES_PER_SECOND. */
const ROUND_SECONDS = 30;
const STATE_BYTES_PER_SECOND = 4_194_304;
/** Series of one detect process that fit into 8 GB. The rate of saving applies to each process. */
const PROCESS_SERIES = 1_500_000;

const DAY = 86_400;

/** @param {number} series with one point a minute each */
export function sizesOf(series, measured) {
  const { memoryPerSeries, stateBytesPerSeries, logBytesPerPoint, chunkBytesPerPoint, storedBytesPerPoint } = measured;
  const pointsPerSecond = series / 60;
  const processes = Math.max(1, Math.ceil(series / PROCESS_SERIES));
  const memory = series * (memoryPerSeries + NAME_BYTES) + processes * PROCESS_BYTES;
  const wholeState = series * stateBytesPerSeries;
  const state = Math.min(wholeState / ROUND_SECONDS, STATE_BYTES_PER_SECOND * processes);
  const micros = OTHER_MICROSECONDS + measured.detectorMicroseconds;
  return {
    name: series.toLocaleString('en-US'),
    'points/s': Math.round(pointsPerSecond),
    'memory GB': round(memory / 1e9),
    'cores, full batches': round((pointsPerSecond * micros) / 1e6),
    'cores, a point a minute': round((pointsPerSecond * pointAMinuteMicroseconds(series)) / 1e6),
    'log MB/s': round((pointsPerSecond * logBytesPerPoint) / 1e6),
    'store MB/s': round((pointsPerSecond * (chunkBytesPerPoint + storedBytesPerPoint)) / 1e6),
    'state MB/s': round(state / 1e6),
    'state round s': Math.round(wholeState / state),
    'state GB': round(wholeState / 1e9),
    'disk GB/day': round((pointsPerSecond * storedBytesPerPoint * DAY) / 1e9),
    'detect processes': processes,
  };
}

const pointAMinuteMicroseconds = (series) => POINT_A_MINUTE_MICROSECONDS.find(([from]) => series >= from)[1];

const round = (value) => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value));
