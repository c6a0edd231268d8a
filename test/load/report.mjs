const number = (value, digits = 0) =>
  value === null || value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Rows of text as columns; all but the first column to the right. */
export function table(headings, rows) {
  const all = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Throughput runs beside each other, and where the processor time of each went. */
export function throughputReport(results) {
  const yardstick = results.find(({ name }) => name === 'VictoriaMetrics');
  const summary = table(
    ['', 'points/s', 'accepted/s', 'points', 'sent s', 'whole s', 'p50 ms', 'p99 ms', '429/503', 'GiB', 'x yardstick'],
    results.map((result) => [
      result.name,
      number(result.pointsPerSecond),
      number(result.acceptedPerSecond),
      number(result.points),
      number(result.sentSeconds, 1),
      number(result.wholeSeconds, 1),
      number(result.requestMs.p50, 1),
      number(result.requestMs.p99, 1),
      number(result.busyAnswers),
      number(result.mostBytes / 2 ** 30, 2),
      yardstick && result !== yardstick ? number(result.pointsPerSecond / yardstick.pointsPerSecond, 3) : '',
    ]),
  );
  return `${summary}\n\n${results.map(processorReport).join('\n\n')}`;
}

/** Processor time by part, in all and for each point. */
export function processorReport({ name, cpuSeconds, points }) {
  const parts = Object.entries(cpuSeconds).sort(([, one], [, other]) => other - one);
  const sum = parts.reduce((total, [, seconds]) => total + seconds, 0);
  return table(
    [`${name}: processor time`, 'seconds', 'us/point'],
    [...parts, ['in all', sum]]
      .filter(([, seconds]) => seconds >= 0.005)
      .map(([part, seconds]) => [`  ${part}`, number(seconds, 2), number((1e6 * seconds) / points, 2)]),
  );
}
