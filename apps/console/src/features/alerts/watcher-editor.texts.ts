import { severityLabel } from '#libs/contracts';
import { countOf } from '../../lib/numbers';
import { type Algorithm, type Lack, type ThresholdFunction, type WatcherType } from './watcher-draft';

export const texts = {
  title: 'New watcher',
  edit: (name: string) => `Change ${name}`,
  back: 'Back to the watcher',
  all: 'All alerts',
  type: 'What to alert on',
  types: { anomaly: 'Anomalies', threshold: 'A limit' } as Readonly<Record<WatcherType, string>>,
  typeStays: { anomaly: 'It watches anomalies.', threshold: 'It watches a limit.' } as Readonly<
    Record<WatcherType, string>
  >,
  chips: 'Metrics',
  chipsHint: 'web, job:shop, -test',
  lacks: {
    chips: 'Enter metrics: part of a name, or a label.',
    value: 'Enter the limit, or drag the line in the chart.',
    upper: 'The upper limit must be above the lower one.',
    silence: 'Enter how long it may be silent.',
    fnMinutes: 'Enter the length of the window.',
    minimumAvg: 'Enter the minimum average for which a drop counts.',
  } as Readonly<Record<Lack, string>>,
  budget: 'Target number of messages per week',
  budgetText: (budget: number | null) =>
    budget === null
      ? 'no limit'
      : budget < 1
        ? `about one in ${String(Math.round(1 / budget))} weeks`
        : `about ${String(budget)} per week`,
  budgetHint: 'Only anomalies that are rare enough are sent. An incident is one message.',
  budgetMeans: (severity: number) =>
    severity > 0
      ? `This currently means severity ${String(severity)} (${severityLabel(severity)}) and above.`
      : 'It currently suppresses nothing.',
  severity: 'Minimum severity',
  severities: { '0': 'Any', '25': 'Minor and worse', '50': 'Major and worse', '75': 'Critical' } as Readonly<
    Record<string, string>
  >,
  severityOf: (severity: number) => `${String(severity)} and above`,
  direction: 'Direction',
  directions: { both: 'Up and down', up: 'Only up', down: 'Only down' },
  minDuration: 'Lasting at least (minutes)',
  repeat: 'At most one message per metric every (minutes)',
  algorithm: 'Alert when a value is',
  algorithms: {
    above: 'above a limit',
    below: 'below a limit',
    outside: 'outside of two limits',
    drop_off: 'far below its average',
    no_data: 'missing',
  } as Readonly<Record<Algorithm, string>>,
  value: 'Limit',
  lower: 'Lower limit',
  upper: 'Upper limit',
  silence: 'Silent for (minutes)',
  minimumAvg: 'Minimum average for which it counts',
  dropPercent: 'Percent below the average of the last hour',
  timesInARow: 'Points in a row',
  fn: 'Aggregate',
  fns: {
    none: 'each value',
    mean: 'mean',
    median: 'median',
    min: 'minimum',
    max: 'maximum',
    sum: 'sum',
    rate: 'rate per second',
  } as Readonly<Record<ThresholdFunction, string>>,
  fnMinutes: 'Window (minutes)',
  whom: 'Who is notified',
  mailTo: 'Mail to',
  smsTo: 'Text message to',
  chat: 'Chat channel',
  chatHint: '#ops',
  teams: 'Address of a Teams workflow',
  pagerduty: 'PagerDuty',
  alertmanager: 'Alertmanager',
  webhook: 'Webhook',
  noWay: 'No recipient is chosen: messages go to the default recipients of the organisation.',
  notConnected: 'Not connected: messages cannot be sent.',
  connect: (channel: string) => `Connect ${channel}`,
  repair: (channel: string) => `Settings of ${channel}`,
  works: (when: string) => `Works: sent ${when}.`,
  ready: 'Connected; nothing sent yet.',
  broken: (why: string) => `The last message failed: ${why}`,
  stateUnknown: 'Its state is currently unknown.',
  name: 'Name',
  nameHint: 'Default: the labels',
  takenUp: 'This is your unsaved draft.',
  startAgain: 'Start again',
  save: 'Save',
  cancel: 'Cancel',
  saved: (name: string) => `${name} is on`,
  changed: (name: string) => `${name} was changed`,
  undo: 'Undo',
  failed: (why: string) => `Nothing changed: ${why}`,
  replay: 'The last four weeks, replayed',
  replayNeeds: 'Enter metrics to see what would have been sent.',
  replayLoading: 'Replaying…',
  covers: (count: number) => `Watches ${countOf(count, 'metric')}.`,
  coversNone: 'No metric has these labels now. New ones will be watched.',
  wouldWeek: (sent: number) => `Would have sent ${countOf(sent, 'message')} last week.`,
  would: (sent: number, anomalies: number) =>
    `${countOf(sent, 'message')} would have been sent in four weeks, of ${countOf(anomalies, 'anomaly', 'anomalies')}.`,
  wouldLimit: (sent: number, keptBack: number) =>
    `${countOf(sent, 'message')} would have been sent in four weeks; ${String(keptBack)} suppressed.`,
  day: (date: string, sent: number, keptBack: number) =>
    `${date}: ${countOf(sent, 'message')}, ${String(keptBack)} suppressed`,
  days: 'Messages of each day',
  messages: 'What would have been sent',
  noMessages: 'Nothing. Raise the number of messages, or choose more metrics.',
  noMessagesLimit: 'Nothing: the limit was not crossed.',
  partial: 'The list is not complete.',
  series: 'Metric in the chart',
  noSeries: 'This metric has no values in the last four weeks.',
  chart: (metric: string) => `${metric}, the last four weeks, with the messages that would have been sent`,
  line: { value: 'Limit', upper: 'Upper limit' },
  lineHint: 'Drag the dashed line, or move it with the arrow keys.',
  setLine: 'Show the limit in the chart',
} as const;
