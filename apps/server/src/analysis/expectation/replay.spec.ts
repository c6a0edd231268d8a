import { type ReplayRequest, Replays } from './replay.js';

const MINUTE = 60;
const DAY = 86_400;
const START = 1_767_225_600;

/** A daily wave with noise, one row per minute. */
function series(days: number): { timestamps: Float64Array; values: Float64Array } {
  const rows = days * 1440;
  return {
    timestamps: Float64Array.from({ length: rows }, (_, row) => START + row * MINUTE),
    values: Float64Array.from({ length: rows }, (_, row) => 100 + 10 * Math.sin(row / 229) + ((row * 7919) % 101) / 50),
  };
}

const request = (firstRow: number, stored = series(3)): ReplayRequest => ({
  ...{ metricId: 1, type: 'gauge', slotSeconds: MINUTE, timezone: 'UTC', terms: null, firstRow },
  ...stored,
});

describe('Replays', () => {
  it('returns the same result with and without an earlier replay', () => {
    const replays = new Replays();
    for (const firstRow of [3000, 3100, 3500, 2000, 4000, 4000]) {
      expect(replays.replay(request(firstRow))).toEqual(new Replays().replay(request(firstRow)));
    }
  });

  it('continues with the new rows of a longer series', () => {
    const replays = new Replays();
    const long = series(4);
    const short = { timestamps: long.timestamps.slice(0, 4000), values: long.values.slice(0, 4000) };
    replays.replay(request(3900, short));
    expect(replays.replay(request(4100, long))).toEqual(new Replays().replay(request(4100, long)));
  });

  it('restarts when an earlier row has changed', () => {
    const replays = new Replays();
    replays.replay(request(3000));
    const changed = series(3);
    changed.values.fill(140, 1000, 1400);
    const again = replays.replay(request(3000, changed));
    expect(again).toEqual(new Replays().replay(request(3000, changed)));
    expect(again).not.toEqual(replays.replay(request(3000)));
  });

  it('separates metrics and their settings', () => {
    const replays = new Replays();
    replays.replay(request(3000));
    const others: Partial<ReplayRequest>[] = [
      { metricId: 2 },
      { type: 'counter' },
      { timezone: 'Asia/Tokyo' },
      { terms: { sensitivity: 0.5 } },
    ];
    for (const other of others) {
      expect(replays.replay({ ...request(3000), ...other })).toEqual(
        new Replays().replay({ ...request(3000), ...other }),
      );
    }
  });

  it('applies the tuning of the metric', () => {
    const stored = series(3);
    stored.values.fill(200, 4000, 4030);
    const anomalous = (terms: ReplayRequest['terms']) =>
      new Replays().replay({ ...request(3900, stored), terms }).anomalous.some((flag) => flag > 0);
    expect(anomalous(null)).toBe(true);
    expect(anomalous({ sensitivity: 0.01 })).toBe(false);
  });

  it('returns nothing for a window after the last row', () => {
    const { timestamps } = series(3);
    expect(new Replays().replay(request(timestamps.length)).yhat).toHaveLength(0);
    expect(timestamps.at(-1)! - START).toBe(3 * DAY - MINUTE);
  });
});
