import { type Schema } from '../../lib/api';
import { kindText } from '../../lib/kinds';
import { valueText } from '../../lib/numbers';
import { durationText } from '../../lib/time';
import { words } from './alerts.words';

type Watcher = Schema<'WatcherDto'>;

/** When it alerts, in parts. */
export function conditionsOf(watcher: Watcher): string[] {
  const { threshold } = watcher;
  if (threshold) return thresholdParts(threshold);
  return [
    watcher.min_severity > 0 ? words.minSeverity(watcher.min_severity) : words.anySeverity,
    ...(watcher.min_duration_seconds > 0 ? [words.lasting(durationText(watcher.min_duration_seconds))] : []),
    ...(watcher.direction === 'both' ? [] : [words.direction[watcher.direction]]),
    ...(watcher.kinds.length > 0 ? [words.kinds(watcher.kinds.map(kindText))] : []),
  ];
}

function thresholdParts(threshold: Schema<'ThresholdDto'>): string[] {
  const { algorithm, value, value_upper: upper } = threshold;
  const limits = {
    above: () => words.threshold.above(valueText(value)),
    below: () => words.threshold.below(valueText(value)),
    outside: () => words.threshold.outside(valueText(value), valueText(upper)),
    drop_off: () => words.threshold.drop_off(valueText(threshold.drop_percent)),
    no_data: () => words.threshold.no_data(durationText(value ?? 0)),
  };
  const { function: name, function_seconds: seconds, times_in_a_row: times } = threshold;
  return [
    limits[algorithm](),
    ...(name !== 'none' && seconds !== null ? [words.fn(name, durationText(seconds))] : []),
    ...(times > 1 ? [words.timesInARow(times)] : []),
  ];
}

/** Where its messages go, in parts; empty when it leaves that to the organisation. */
export function destinationsOf(watcher: Watcher): string[] {
  const { email, sms } = watcher.alert_users;
  return [
    ...(watcher.demo_mailbox ? [words.demoMailbox] : []),
    ...(email.length > 0 ? [people(email, words.channels.mailTo, words.channels.mail)] : []),
    ...(sms.length > 0 ? [people(sms, words.channels.smsTo, words.channels.sms)] : []),
    ...(watcher.chat_channel === null ? [] : [words.channels.chat(watcher.chat_channel)]),
    ...(watcher.teams_chat_webhook === null ? [] : [words.channels.teams]),
    ...(watcher.pagerduty ? [words.channels.pagerduty] : []),
    ...(watcher.alertmanager ? [words.channels.alertmanager] : []),
    ...(watcher.webhook ? [words.channels.webhook] : []),
    ...(watcher.summary_report_frequency === null ? [] : [words.summary(watcher.summary_report_frequency)]),
  ];
}

const MAX_NAMES = 3;

/** Their names while they are few and known, otherwise how many they are. */
function people(
  users: readonly Schema<'UserDto'>[],
  named: (names: string) => string,
  counted: (count: number) => string,
): string {
  const names = users.map(({ name, email }) => name || email);
  return users.length <= MAX_NAMES && names.every((name) => name !== '')
    ? named(names.join(', '))
    : counted(users.length);
}
