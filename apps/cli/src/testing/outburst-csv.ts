const START = Date.UTC(2025, 9, 6) / 1000;

/** Time of a row in the format of common data sets. `interval` in seconds. */
export function time(row: number, interval = 300): string {
  return new Date((START + row * interval) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** A noisy series with one obvious outburst: rows 800 to 819 of 1000. */
export function outburstCsv(isLabelled: boolean, { interval = 300, outburst = 5000 } = {}): string {
  const lines = Array.from({ length: 1000 }, (_, row) => {
    const isOutburst = row >= 800 && row < 820;
    const value = isOutburst ? outburst : 100 + ((row * 7919) % 13);
    return `${time(row, interval)},${value}${isLabelled ? `,${isOutburst ? 1 : 0}` : ''}`;
  });
  return [isLabelled ? 'timestamp,load,is_anomaly' : 'timestamp,value', ...lines, ''].join('\n');
}
