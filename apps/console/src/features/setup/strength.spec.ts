import { strengthOf } from './strength';

describe('the strength of a password', () => {
  it('is low for what many use, and says why', () => {
    expect(strengthOf('password12345', [])).toMatchObject({ warning: 'similarToCommon' });
    expect(strengthOf('password12345', []).score).toBeLessThan(2);
  });

  it('is high for words that do not belong together', () => {
    expect(strengthOf('purple lantern 42 stone', []).score).toBe(4);
  });

  it('counts out what belongs to the person', () => {
    expect(strengthOf('ann@example.org', ['ann@example.org'])).toEqual({ score: 0, warning: 'userInputs' });
  });

  it('judges the longest password', () => {
    expect(strengthOf('aB3$'.repeat(50), []).score).toBeGreaterThanOrEqual(0);
  });
});
