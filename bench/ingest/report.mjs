const number = (value, digits = 0) =>
  value === null || value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Rows of text as columns; all but the first column are right-aligned. */
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

/** Throughput runs next to each other, with the processor time of each by part. */
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

const sumOf = (parts) => Object.values(parts).reduce((total, seconds) => total + seconds, 0);

/** Processor time by part, in total and per point. */
export function processorReport({ name, cpuSeconds, points }) {
  const parts = Object.entries(cpuSeconds).sort(([, one], [, other]) => other - one);
  const sum = sumOf(cpuSeconds);
  return table(
    [`${name}: processor time`, 'seconds', 'us/point'],
    [...parts, ['in all', sum]]
      .filter(([, seconds]) => seconds >= 0.005)
      .map(([part, seconds]) => [`  ${part}`, number(seconds, 2), number((1e6 * seconds) / points, 2)]),
  );
}

/** Anomalies, processor time and memory under everyday load. */
export function steadyReport(result) {
  const { anomalyMs, requestMs, lagSeconds } = result;
  return [
    table(
      ['', 'p50', 'p95', 'p99', 'most'],
      [
        ['point sent to anomaly readable, ms', ...quantileCells(anomalyMs)],
        ['request, ms', ...quantileCells(requestMs, 1)],
        ['lag in the first half, s', ...quantileCells(lagSeconds.first, 2)],
        ['lag in the second half, s', ...quantileCells(lagSeconds.second, 2)],
      ],
    ),
    `${number(result.series)} series, ${number(result.pointsPerSecond)} points/s for ${number(result.seconds)} s: ` +
      `${number(100 * result.cores)} % of a core, at most ${number(result.mostBytes / 2 ** 30, 2)} GiB; ` +
      `${result.anomalies} anomalies, ${result.missingAnomalies} missing, ${result.busyAnswers} x 429/503, ${result.failures} failures`,
    processorReport(result),
  ].join('\n\n');
}

export function namesReport(result) {
  const { requestMs, knownMs } = result;
  return [
    `${number(result.points)} new series: ${number(result.perSecond)} a second taken, analysed after ${number(result.wholeSeconds, 1)} s; ` +
      `at most ${number(result.mostBytes / 2 ** 30, 2)} GiB, ${result.busyAnswers} x 429/503, ${result.failures} failures`,
    table(
      ['request, ms', 'p50', 'p95', 'p99', 'most'],
      [
        ['new series', ...quantileCells(requestMs, 1)],
        ['known series, alone', ...quantileCells(knownMs.alone, 1)],
        ['known series, beside', ...quantileCells(knownMs.beside, 1)],
      ],
    ),
    processorReport(result),
  ].join('\n\n');
}

/** The cost of a point and of a series, by their number. */
export function growthReport({ sizes }) {
  const costs = sizes.map(({ cpuSeconds, points }) => (1e6 * sumOf(cpuSeconds)) / points);
  return [
    table(
      ['series', 'us/point', 'x before', 'bytes/series', 'most GiB', 'most behind', 'over after s', 'name misses'],
      sizes.map((size, index) => [
        number(size.series),
        number(costs[index], 1),
        index === 0 ? '' : number(costs[index] / costs[index - 1], 2),
        number((size.bytes - size.idleBytes) / size.series),
        number(size.mostBytes / 2 ** 30, 2),
        number(size.mostBehind),
        number(size.catchUpSeconds, 1),
        number(size.nameMisses),
      ]),
    ),
    table(
      ['first sight', 'series/s taken', 'analysed after s', 'us/series'],
      sizes.map(({ series, names }) => [
        number(series),
        number(names.perSecond),
        number(names.wholeSeconds, 1),
        number((1e6 * sumOf(names.cpuSeconds)) / series, 1),
      ]),
    ),
    table(
      ['meanwhile, ms', 'p50', 'p95', 'p99', 'most'],
      sizes.flatMap(({ series, anomalyMs, pageMs }) => [
        [`${number(series)}: point to anomaly`, ...quantileCells(anomalyMs)],
        ...Object.entries(pageMs).map(([page, times]) => [`${number(series)}: ${page}`, ...quantileCells(times)]),
      ]),
    ),
    ...sizes.map(({ series, cpuSeconds, points }) =>
      processorReport({ name: `${number(series)} series`, cpuSeconds, points }),
    ),
  ].join('\n\n');
}

export function restartReport(results) {
  return table(
    ['stopped by', 'series', 'stop s', 'listening s', 'ready s', 'first anomaly readable s'],
    results.map((result) => [
      result.name,
      number(result.series),
      number(result.stopSeconds, 1),
      number(result.listeningSeconds, 1),
      number(result.readySeconds, 1),
      result.scoringSeconds === null ? 'never' : number(result.scoringSeconds, 1),
    ]),
  );
}

export function readsReport(results) {
  const rows = results.map(({ name, requests, ms }) => [name, number(requests), ...quantileCells(ms, 1)]);
  return `${table(['', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'most ms'], rows)}\n\nwhile ${number(results[0].incoming)} points/s came in`;
}

export function overloadReport(result) {
  const { gibibytes } = result;
  return [
    `${number(result.acceptedPerSecond)} points/s accepted for ${number(result.seconds)} s, ${number(result.pointsPerSecond)} points/s the whole way; ` +
      `${number(result.busyAnswers)} of ${number(result.requests)} requests were answered 429 or 503, ${number(result.failures)} failed`,
    `${number(result.behindPoints)} points waited for detection at the end, caught up after ${number(result.catchUpSeconds, 1)} s; ` +
      'every sampled point that was acknowledged is readable',
    `memory of all processes: at most ${number(gibibytes.firstThird, 2)} GiB in the first third, ` +
      `${number(gibibytes.lastThird, 2)} GiB in the last, ${number(gibibytes.most, 2)} GiB in all`,
  ].join('\n');
}

const quantileCells = ({ p50, p95, p99, most }, digits = 0) =>
  [p50, p95, p99, most].map((value) => number(value, digits));
