import { strengthOf } from './strength';

describe('the strength of a password', () => {
  it('is low for a common password, with a warning', () => {
    expect(strengthOf('password12345', [])).toMatchObject({ warning: 'similarToCommon' });
    expect(strengthOf('password12345', []).score).toBeLessThan(2);
  });

  it('is high for unrelated words', () => {
    expect(strengthOf('purple lantern 42 stone', []).score).toBe(4);
  });

  it("is 0 for the user's own e-mail address", () => {
    expect(strengthOf('ann@example.org', ['ann@example.org'])).toEqual({ score: 0, warning: 'userInputs' });
  });

  it('is computed for a password of 200 characters', () => {
    expect(strengthOf('aB3$'.repeat(50), []).score).toBeGreaterThanOrEqual(0);
  });
});
