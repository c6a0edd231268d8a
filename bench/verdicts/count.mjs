/**
 * Counts the anomalies that a detector opens in series of `dozen`, and the trouble that it finds. Imports nothing, so
 * that it also runs with a changed copy of the detector.
 */
const DAY = 86_400;
/** The return from trouble, and its remainder, are not false alarms; after a falling ramp, they are. */
const AFTER_SECONDS = 3600;

/**
 * Anomalies count as false alarms (`opened`) if they open when there is no trouble and there was none in the hour
 * before.
 *
 * @param detectSeries that of libs/detection
 * @returns {{ kind: string, visible: number, found: number, opened: number, days: number }} of one series
 */
export function countOf(detectSeries, { kind, timestamps, values, judgedFrom, troubles }) {
  const { anomalies } = detectSeries(timestamps, values, { type: 'gauge', timezone: 'UTC' });
  const step = timestamps[1] - timestamps[0];
  const rows = anomalies
    .filter(({ type }) => type === 'opened')
    .map(({ startTimestamp }) => Math.round((startTimestamp - timestamps[0]) / step))
    .filter((row) => row >= judgedFrom);
  const after = kind === 'ramp_fall' ? 0 : Math.ceil(AFTER_SECONDS / step);
  const isOf = ({ from, until }, row, late) => row >= from && row < until + late;
  return {
    kind,
    visible: troubles.length,
    found: troubles.filter((trouble) => rows.some((row) => isOf(trouble, row, 0))).length,
    opened: rows.filter((row) => !troubles.some((trouble) => isOf(trouble, row, after))).length,
    days: ((timestamps.length - judgedFrom) * step) / DAY,
  };
}

const sum = (counts, pick) => counts.reduce((total, count) => total + pick(count), 0);

/**
 * Figures of all counts: share of visible trouble that was found, share of weeks without a false alarm (mean over the
 * series), and false alarms a day for 1,000 series (mean over the series).
 */
export function figuresOf(counts) {
  const visible = sum(counts, (count) => count.visible);
  return {
    found: sum(counts, (count) => count.found) / visible,
    quiet: 1 - sum(counts, ({ opened, days }) => Math.min(1, (7 * opened) / days)) / counts.length,
    falseAlarmsADay: (1000 * sum(counts, ({ opened, days }) => opened / days)) / counts.length,
  };
}
