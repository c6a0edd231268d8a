/**
 * What a detector opens and finds in series of `dozen`. Imports nothing: it also runs beside a changed copy of the detector.
 */
const DAY = 86_400;
/** The way back from trouble, and what is left of it, is no false alarm of its own; of a ramp that falls it is. */
const AFTER_SECONDS = 3600;

/**
 * Anomalies that open while there is no trouble, and has been none for an hour, are false alarms (`opened`).
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
 * Figures of all counts: shares of visible trouble found, of weeks without a false alarm (mean over the series), and false alarms a day for 1,000 series
 * (mean over the series).
 */
export function figuresOf(counts) {
  const visible = sum(counts, (count) => count.visible);
  return {
    found: sum(counts, (count) => count.found) / visible,
    quiet: 1 - sum(counts, ({ opened, days }) => Math.min(1, (7 * opened) / days)) / counts.length,
    falseAlarmsADay: (1000 * sum(counts, ({ opened, days }) => opened / days)) / counts.length,
  };
}
