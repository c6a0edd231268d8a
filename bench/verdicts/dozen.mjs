import { noisePair } from '../../dist/libs/evaluation/src/index.js';
import { specialSeries } from '../../dist/libs/synthetic/src/index.js';

const DAY = 86_400;
const STEP = 300;
/**
 * Days that are learnt of ordinary series, and seconds after the end of trouble within which it can still be found, as
 * in `bench noise`.
 */
const LEARNT_DAYS = 14;
const LATE_SECONDS = 600;

/** Ordinary kinds with six kinds of trouble, and their seeds; rows of five minutes. */
const ORDINARY = [
  ['daily', 71],
  ['weekly', 72],
  ['counts', 73],
  ['latency', 74],
  ['heavy_latency', 75],
  ['queue', 76],
  ['nightly_job', 77],
  ['leak_deploys', 78],
];
/** Kinds with special trouble, or without any. */
const SPECIAL = [
  ['deploy_shift', 79],
  ['ramp_fall', 80],
  ['flat_row', 81],
  ['rows_of_a_day', 82],
];

/**
 * A fixed dozen of seeded kinds, as series that are judged from row `judgedFrom` on. Trouble is found by an anomaly
 * that opens from row `from` to the row before `until`. `kind` is the name in reports.
 *
 * @param options.withQuiet adds the ordinary kinds a second time, without trouble
 * @returns {{ kind: string, timestamps: Float64Array, values: Float64Array, judgedFrom: number, troubles: { from: number, until: number }[] }[]}
 */
export function dozen({ withQuiet }) {
  const judgedFrom = (LEARNT_DAYS * DAY) / STEP;
  const late = Math.ceil(LATE_SECONDS / STEP);
  const ordinary = ORDINARY.flatMap(([kind, seed]) => {
    const { quiet, anomalous, troubles } = noisePair(kind, seed, STEP);
    const visible = troubles.filter(({ isVisible }) => isVisible);
    const one = { kind, judgedFrom };
    return [
      ...(withQuiet ? [{ ...one, ...quiet, troubles: [] }] : []),
      { ...one, ...anomalous, troubles: visible.map(({ from, until }) => ({ from, until: until + late })) },
    ];
  });
  const special = SPECIAL.map(([kind, seed]) => {
    const { timestamps, values, judgedFrom: from, trouble } = specialSeries(kind, seed);
    return { kind, timestamps, values, judgedFrom: from, troubles: trouble === null ? [] : [trouble] };
  });
  return [...ordinary, ...special];
}
