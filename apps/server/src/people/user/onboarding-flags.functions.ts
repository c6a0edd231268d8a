import { ONBOARDING_EXTRA_FLAGS, ONBOARDING_FLAGS, type OnboardingFlag, type OnboardingFlags } from '#libs/contracts';
import { type User } from './user.types.js';

/** The flags as the status block shows them: the eight always, the others once set. */
export function toOnboardingFlags(set: User['onboardingFlags']): OnboardingFlags {
  const extra = ONBOARDING_EXTRA_FLAGS.filter((flag) => set[flag]).map((flag) => [flag, true] as const);
  return { ...mainFlags(set), ...Object.fromEntries(extra) };
}

export function mainFlags(set: User['onboardingFlags']): Record<OnboardingFlag, boolean> {
  return Object.fromEntries(ONBOARDING_FLAGS.map((flag) => [flag, set[flag] ?? false])) as Record<
    OnboardingFlag,
    boolean
  >;
}
