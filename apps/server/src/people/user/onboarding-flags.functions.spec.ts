import { toOnboardingFlags } from './onboarding-flags.functions.js';

describe('toOnboardingFlags', () => {
  it('has the eight always and the others once set', () => {
    expect(Object.keys(toOnboardingFlags({}))).toHaveLength(8);
    expect(toOnboardingFlags({ seen_card_all: true, pattern_trained: true })).toMatchObject({
      pattern_trained: true,
      main_intro: false,
      seen_card_all: true,
    });
    expect(toOnboardingFlags({ seen_card_all: true })).not.toHaveProperty('seen_card_matches');
  });
});
