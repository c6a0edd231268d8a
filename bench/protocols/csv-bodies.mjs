/** Bodies for `npm run bench:protocols`: CSV with ISO times, the same bytes at every run. */

const POINTS = 50_000;
const COLUMNS = 50;

/** Deterministic values with as many digits as real measurements. */
const valueAt = (i) => ((i * 2_654_435_761) % 1_000_003) / 1000;

/** @param zone appended to the times; empty: they are local */
const timeAt = (now, minutes, zone) => `${new Date((now - minutes * 60) * 1000).toISOString().slice(0, 19)}${zone}`;

/** `timestamp,metric,value`, with alternating metrics. */
export function csvLongBody(now) {
  const lines = Array.from({ length: POINTS }, (_, i) => {
    const minutes = Math.floor(i / COLUMNS);
    return `${timeAt(now, minutes, 'Z')},host-${i % COLUMNS}.cpu,${valueAt(i)}`;
  });
  return Buffer.from(`timestamp,metric,value\n${lines.join('\n')}\n`);
}

/** A column per metric, with times without an offset. */
export function csvWideBody(now) {
  const header = Array.from({ length: COLUMNS }, (_, i) => `host-${i}.cpu`);
  const lines = Array.from({ length: POINTS / COLUMNS }, (_, row) => {
    const values = Array.from({ length: COLUMNS }, (_value, i) => valueAt(row * COLUMNS + i));
    return `${timeAt(now, row, '')},${values.join(',')}`;
  });
  return Buffer.from(`timestamp,${header.join(',')}\n${lines.join('\n')}\n`);
}
