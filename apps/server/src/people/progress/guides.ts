import { type OnboardingFlag, type OnboardingStatusId } from '#libs/contracts';

interface GuideStep {
  key: string;
  title: string;
}

export const ONBOARDING_TITLE = 'Getting started';

/** The onboarding steps of an organisation; each is completed by the status or by a flag of a user. */
export const ONBOARDING_STEPS: readonly (GuideStep & { doneBy: OnboardingStatusId | OnboardingFlag })[] = [
  { key: 'send_data', title: 'Send data', doneBy: 100 },
  { key: 'first_100_points', title: 'A metric has 100 points', doneBy: 200 },
  { key: 'first_day', title: 'A metric has a day of data', doneBy: 300 },
  { key: 'create_watcher', title: 'Create a watcher', doneBy: 'alert_created' },
  { key: 'send_test_alert', title: 'Send a test alert', doneBy: 'test_alert_sent' },
  { key: 'train_pattern', title: 'Train a pattern', doneBy: 'pattern_trained' },
];

/** True for steps that depend only on data: users cannot mark them as done. Users can mark the others, to skip them. */
export function isKeptByService(key: string): boolean {
  return ONBOARDING_STEPS.some((step) => step.key === key && typeof step.doneBy === 'number');
}

export const TOUR_TITLE = 'Guided tour';

export const TOUR_STEPS: readonly GuideStep[] = [
  { key: 'overview', title: 'Look at the overview' },
  { key: 'metric', title: 'Look at a metric' },
  { key: 'incident', title: 'Look at an incident: several metrics at once, and where it began' },
  { key: 'anomaly', title: 'Read an anomaly: what was expected, and why it opened' },
  { key: 'train', title: 'Mark a nightly job as expected' },
  { key: 'match', title: 'See a match: the next night looks alike and sends no alert' },
  { key: 'tune', title: 'Tune a noisy metric, with a preview first' },
  { key: 'watcher', title: 'See how a watcher is created' },
];
