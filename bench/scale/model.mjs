/** Sizes of an installation, computed. Each constant says where it is from; docs/scale.md lists them. */

/** Names, ids and terms of a metric in the processes and in the tables (docs/performance.md, "The everyday"). */
const NAME_BYTES = 1000;
/** Of each process besides its series (docs/performance.md, "The everyday"). */
const PROCESS_BYTES = 0.5e9;
/**
 * Processor time of everything together for a point: in full batches (docs/performance.md, "Throughput", 5 minutes, with the
 * detector's own part taken out), and where 200,000 series send a point a minute ("The everyday": 37 % of a core).
 */
const OTHER_MICROSECONDS = 4.92 - 2.19;
const EVERYDAY_MICROSECONDS = 0.37e6 / (200_000 / 60);
/** PLUMBLINE_CHECKPOINT_SECONDS, PLUMBLINE_CHECKPOINT_BYTES_PER_SECOND: their defaults. */
const ROUND_SECONDS = 30;
const STATE_BYTES_PER_SECOND = 4_194_304;
/** Series of one detect process, so that it fits 8 GB. The rate of saving is that of each process. */
const PROCESS_SERIES = 1_500_000;

const DAY = 86_400;

/** @param {number} series with a point a minute each */
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
    'cores, a point a minute': round((pointsPerSecond * EVERYDAY_MICROSECONDS) / 1e6),
    'log MB/s': round((pointsPerSecond * logBytesPerPoint) / 1e6),
    'store MB/s': round((pointsPerSecond * (chunkBytesPerPoint + storedBytesPerPoint)) / 1e6),
    'state MB/s': round(state / 1e6),
    'state round s': Math.round(wholeState / state),
    'state GB': round(wholeState / 1e9),
    'disk GB/day': round((pointsPerSecond * storedBytesPerPoint * DAY) / 1e9),
    'detect processes': processes,
  };
}

const round = (value) => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value));
