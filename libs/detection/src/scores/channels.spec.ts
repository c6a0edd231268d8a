import fc from 'fast-check';
import { scoreOf } from '../series/judgement/alarm-score.js';
import {
  NOVELTY_LEVEL,
  NOVELTY_WEIGHTS,
  noveltyEvidence,
  noveltyQuietRows,
  quietened,
  SCORE_LEVEL,
  SCORE_WEIGHTS,
  scoreEvidence,
  scoreQuietRows,
  SPIKE_LEVEL,
  spikeEvidence,
  reportedNovelty,
  reportedScore,
} from './channels.js';
import { PART_NAMES, RARE_RECENT, RARE_STEP } from './parts.js';
import { createScoreRecord } from './score-record.js';

const evidence = fc.double({ min: 0, max: 1000, noNaN: true });
const anyParts = fc
  .array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: PART_NAMES.length, maxLength: PART_NAMES.length })
  .map((values) => Float64Array.from(values));

describe('scoreOf', () => {
  it.each([NOVELTY_LEVEL, SPIKE_LEVEL, SCORE_LEVEL])('returns 0.5 at the level %d, and 0 without evidence', (level) => {
    expect(scoreOf(level, level)).toBe(0.5);
    expect(scoreOf(level * (1 - 1e-12), level)).toBeLessThan(0.5);
    expect(scoreOf(0, level)).toBe(0);
    expect(scoreOf(100 * level, level)).toBeCloseTo(1, 12);
  });

  it('increases with the evidence, within 0..1', () => {
    fc.assert(
      fc.property(evidence, evidence, fc.double({ min: 0.1, max: 20, noNaN: true }), (one, other, level) => {
        const [less, more] = [scoreOf(Math.min(one, other), level), scoreOf(Math.max(one, other), level)];
        expect(0 <= less && less <= more && more <= 1).toBe(true);
      }),
      { seed: 20_251_301 },
    );
  });

  it('is continuous at the level', () => {
    expect(scoreOf(3 + 1e-9, 3) - scoreOf(3 - 1e-9, 3)).toBeLessThan(1e-8);
  });
});

describe('quietened', () => {
  it('returns scores below an alarm in the same order', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(score, score, (one, other) => {
        const [less, more] = [quietened(Math.min(one, other)), quietened(Math.max(one, other))];
        expect(0 <= less && less <= more && more < 0.5).toBe(true);
      }),
      { seed: 20_251_302 },
    );
  });
});

describe('evidence', () => {
  it('has a weight for every part', () => {
    for (const perPart of [NOVELTY_WEIGHTS, SCORE_WEIGHTS]) {
      expect(perPart).toHaveLength(PART_NAMES.length);
      expect(perPart.every((one) => one >= 0)).toBe(true);
    }
  });

  it('increases with every part', () => {
    fc.assert(
      fc.property(
        anyParts,
        fc.nat(PART_NAMES.length - 1),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (parts, part, more) => {
          const spike = spikeEvidence(parts, 1, 1);
          const before = [noveltyEvidence(parts), spike, scoreEvidence(parts, spike)];
          parts[part]! += more;
          const raised = spikeEvidence(parts, 1, 1);
          const after = [noveltyEvidence(parts), raised, scoreEvidence(parts, raised)];
          after.forEach((one, i) => expect(one).toBeGreaterThanOrEqual(before[i]!));
        },
      ),
      { seed: 20_251_303 },
    );
  });

  it('of a spike is the larger of step and distance, each weighted by how far it exceeds chance', () => {
    const parts = new Float64Array(PART_NAMES.length);
    parts[RARE_STEP] = 6;
    parts[RARE_RECENT] = 4;
    expect(spikeEvidence(parts, 1, 1)).toBe(6);
    expect(spikeEvidence(parts, 0.5, 1)).toBe(4);
    expect(spikeEvidence(parts, 0.5, 0)).toBe(3);
    expect(spikeEvidence(parts, 0, 0)).toBe(0);
  });

  it('counts only the largest rarity part for the score', () => {
    const parts = new Float64Array(PART_NAMES.length);
    parts[RARE_STEP] = 6;
    const alone = scoreEvidence(parts, 0);
    parts[RARE_RECENT] = 5;
    expect(scoreEvidence(parts, 0)).toBe(alone);
  });
});

describe('the suppression of a channel', () => {
  /** Suppressed rows after the first alarm if every row would raise an alarm. */
  function quietRows(reported: () => number): number {
    expect(reported()).toBe(1);
    let rows = 0;
    while (reported() < 0.5) rows++;
    return rows;
  }

  it.each([1000, 3000, 1e6])('lasts noveltyQuietRows rows after an alarm of novelty at row %d', (row) => {
    const { f } = createScoreRecord();
    expect(quietRows(() => reportedNovelty(f, 1, row))).toBe(noveltyQuietRows(row));
  });

  it.each([1, 60, 300, 3600, 86_400])(
    'lasts scoreQuietRows rows after an alarm of the score in rows %d s apart',
    (resolution) => {
      const { f } = createScoreRecord();
      expect(quietRows(() => reportedScore(f, 1, resolution))).toBe(scoreQuietRows(resolution));
    },
  );

  it('lasts longer with a longer history or shorter intervals, up to a maximum', () => {
    const byHistory = [200, 1000, 5000, 1e5, 1e7].map(noveltyQuietRows);
    expect([...byHistory].sort((a, b) => a - b)).toEqual(byHistory);
    expect(byHistory.at(-1)).toBe(byHistory.at(-2));
    const byPace = [86_400, 3600, 300, 60, 1].map(scoreQuietRows);
    expect([...byPace].sort((a, b) => a - b)).toEqual(byPace);
    expect(byPace[0]).toBeGreaterThanOrEqual(1);
    expect(byPace.at(-1)).toBeLessThan(60);
  });

  it('does not begin at scores below an alarm, which are returned unchanged', () => {
    const { f } = createScoreRecord();
    for (const score of [0.1, 0.4, 0.499]) {
      expect(reportedNovelty(f, score, 1000)).toBe(score);
      expect(reportedScore(f, score, 60)).toBe(score);
    }
    expect(reportedNovelty(f, 0.9, 1000)).toBe(0.9);
    expect(reportedScore(f, 0.9, 60)).toBe(0.9);
  });

  it('does not affect the other channel', () => {
    const { f } = createScoreRecord();
    reportedNovelty(f, 1, 1000);
    expect(reportedScore(f, 1, 60)).toBe(1);
  });
});
