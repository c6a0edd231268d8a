import { type Schema } from '../../lib/api';
import { kindText } from '../../lib/kinds';
import { valueText } from '../../lib/numbers';
import { durationText } from '../../lib/time';
import { texts } from './alerts.texts';

type Watcher = Schema<'WatcherDto'>;

/** The conditions for alerts, in parts. */
export function conditionsOf(watcher: Watcher): string[] {
  const { threshold } = watcher;
  if (threshold) return thresholdParts(threshold);
  return [
    watcher.min_severity > 0 ? texts.minSeverity(watcher.min_severity) : texts.anySeverity,
    ...(watcher.min_duration_seconds > 0 ? [texts.lasting(durationText(watcher.min_duration_seconds))] : []),
    ...(watcher.direction === 'both' ? [] : [texts.direction[watcher.direction]]),
    ...(watcher.kinds.length > 0 ? [texts.kinds(watcher.kinds.map(kindText))] : []),
  ];
}

function thresholdParts(threshold: Schema<'ThresholdDto'>): string[] {
  const { algorithm, value, value_upper: upper } = threshold;
  const limits = {
    above: () => texts.threshold.above(valueText(value)),
    below: () => texts.threshold.below(valueText(value)),
    outside: () => texts.threshold.outside(valueText(value), valueText(upper)),
    drop_off: () => texts.threshold.drop_off(valueText(threshold.drop_percent)),
    no_data: () => texts.threshold.no_data(durationText(value ?? 0)),
  };
  const { function: name, function_seconds: seconds, times_in_a_row: times } = threshold;
  return [
    limits[algorithm](),
    ...(name !== 'none' && seconds !== null ? [texts.fn(name, durationText(seconds))] : []),
    ...(times > 1 ? [texts.timesInARow(times)] : []),
  ];
}

/** The destinations of its messages, in parts; empty if it uses those of the organisation. */
export function destinationsOf(watcher: Watcher): string[] {
  const { email, sms } = watcher.alert_users;
  return [
    ...(watcher.demo_mailbox ? [texts.demoMailbox] : []),
    ...(email.length > 0 ? [people(email, texts.channels.mailTo, texts.channels.mail)] : []),
    ...(sms.length > 0 ? [people(sms, texts.channels.smsTo, texts.channels.sms)] : []),
    ...(watcher.chat_channel === null ? [] : [texts.channels.chat(watcher.chat_channel)]),
    ...(watcher.teams_chat_webhook === null ? [] : [texts.channels.teams]),
    ...(watcher.pagerduty ? [texts.channels.pagerduty] : []),
    ...(watcher.alertmanager ? [texts.channels.alertmanager] : []),
    ...(watcher.webhook ? [texts.channels.webhook] : []),
    ...(watcher.summary_report_frequency === null ? [] : [texts.summary(watcher.summary_report_frequency)]),
  ];
}

const MAX_NAMES = 3;

/** The names if they are few and known, otherwise their number. */
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
