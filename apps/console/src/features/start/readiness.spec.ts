import { readinessOf } from './readiness';

const NOW = 1_760_000_000;
const READY = { ready: true, expected_timestamp: null };

function metric(state: 'collecting' | 'learning' | 'live' | 'excluded' | 'paused', expected: number | null = null) {
  const range = state === 'collecting' ? { ready: false, expected_timestamp: expected } : READY;
  const judgement = { values_needed: state === 'collecting' ? 40 : 0 };
  return { analysis_state: state, judgement, readiness: { range, daily: READY, weekly: READY } };
}

describe('readinessOf', () => {
  it('counts metrics by their analysis state', () => {
    const metrics = [metric('collecting'), metric('learning'), metric('live'), metric('live'), metric('paused')];
    expect(readinessOf(metrics, NOW)).toEqual({ collecting: 1, learning: 1, live: 2, resting: 1, next: null });
  });

  it('counts a metric that learns again as collecting, although it has a long history', () => {
    const again = { ...metric('collecting', NOW + 2400), analysis_state: 'live' as const };
    expect(readinessOf([again, metric('live')], NOW)).toEqual({
      collecting: 1,
      learning: 0,
      live: 1,
      resting: 0,
      next: { count: 1, at: NOW + 2400 },
    });
  });

  it('returns how many metrics are judged next, and when', () => {
    const metrics = [
      metric('collecting', NOW + 2400),
      metric('collecting', NOW + 2280),
      metric('collecting', NOW + 9000),
    ];
    expect(readinessOf(metrics, NOW).next).toEqual({ count: 2, at: NOW + 2400 });
  });

  it('ignores past times', () => {
    expect(readinessOf([metric('collecting', NOW - 60)], NOW).next).toBeNull();
  });

  it('returns zeros without metrics', () => {
    expect(readinessOf([], NOW)).toEqual({ collecting: 0, learning: 0, live: 0, resting: 0, next: null });
  });
});
