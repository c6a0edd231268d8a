import { scoreSeries } from '#libs/detection';
import { during, series, white } from '#libs/detection/testing';
import { ABLATION_CHANNELS } from './ablation-channels.js';
import { evidenceRows } from './ablation-evidence.js';
import { eventsByLevel, LEVEL_FACTORS, levelFigure, nabByLevel, nabFigure } from './ablation-figures.js';
import { scoreEvents } from '../scoring/event-score.js';
import { paceOf } from '../scoring/labelled-series.js';
import { nabFigures } from '../scoring/nab-figures.js';
import { sweepEvents } from '../scoring/event-sweep.js';

const SHIPPED_AT = LEVEL_FACTORS.indexOf(1);

/** Three series with an outburst each, from row 2160 on. */
const FILES = [1, 2, 3].map((seed) => {
  const { timestamps, values } = series(
    4,
    60,
    during(white(seed), 1.5, 30 * seed, (value) => value + 4 * seed),
  );
  const verdicts = scoreSeries(timestamps, values, { type: 'gauge', withParts: true });
  const labels = new Uint8Array(values.length).fill(1, 2160, 2160 + 30 * seed);
  return {
    verdicts,
    labels,
    pace: paceOf(60),
    windows: [{ first: 2100, last: 2500 }],
    rows: evidenceRows(timestamps, verdicts),
  };
});

describe.each(ABLATION_CHANNELS)('$column as shipped', (channel) => {
  const shipped = channel.variants[0]!;

  it('has the NAB scores of the column at the shipped level', () => {
    const corpus = FILES.map(({ verdicts, windows }) => ({ windows, scores: verdicts[channel.column] }));
    const byLevel = nabByLevel(FILES, channel, shipped);
    nabFigures(corpus, 0.5).forEach(({ profile, fixed }, i) => {
      expect(byLevel[i]!.profile).toBe(profile);
      const { atShipped, best } = nabFigure(byLevel[i]!);
      expect(atShipped).toBeCloseTo(fixed.score, 9);
      expect(best).toBeGreaterThanOrEqual(atShipped);
    });
  });

  it('has the event scores of the column at the shipped level', () => {
    const set = FILES.map(({ verdicts, labels, pace }) => ({ labels, pace, scores: verdicts[channel.column] }));
    const events = eventsByLevel(FILES, channel, shipped);
    expect(events[SHIPPED_AT]).toEqual({ ...scoreEvents(set, 0.5), threshold: channel.level });
    const best = Math.max(...events.map(({ f1 }) => f1));
    // Spikes suppress no rows, so another level is another threshold, and the sweep tries more of them.
    if (channel.column === 'spike') expect(best).toBeLessThanOrEqual(sweepEvents(set, [0.5]).f1);
  });
});

describe('levelFigure', () => {
  const figures = (at: Record<number, number>): number[] =>
    LEVEL_FACTORS.map((_, level) => at[level - SHIPPED_AT] ?? 0);

  it('returns the best level, and of equal ones the nearest to the shipped level', () => {
    expect(levelFigure(figures({ [-20]: 3, 0: 1, 10: 3, 11: 3 }))).toEqual({
      atShipped: 1,
      best: 3,
      bestFactor: 1.02 ** 10,
    });
    expect(levelFigure(figures({}))).toEqual({ atShipped: 0, best: 0, bestFactor: 1 });
  });
});
