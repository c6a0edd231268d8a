import { countOf } from '../../lib/numbers';

export const words = {
  title: 'New watcher',
  all: 'All alerts',
  chips: 'Metrics',
  chipsHint: 'web, job:shop, -test',
  chipsNeeded: 'Type which metrics: part of a name, or a label.',
  budget: 'About how many messages a week',
  budgetText: (budget: number | null) =>
    budget === null
      ? 'all that fit'
      : budget < 1
        ? `about one in ${String(Math.round(1 / budget))} weeks`
        : `about ${String(budget)} a week`,
  budgetHint: 'Only what is rare enough is sent. An incident is one message.',
  severity: 'Least severity',
  severities: { '0': 'Any', '25': 'Minor and worse', '50': 'Major and worse', '75': 'Critical' } as Readonly<
    Record<string, string>
  >,
  mailTo: 'Mail to',
  mailToHint: 'No one: the default recipients of the organisation',
  name: 'Name',
  nameHint: 'The labels, unless you type one',
  takenUp: 'This is as you left it, not saved yet.',
  startAgain: 'Start again',
  save: 'Save',
  saved: (name: string) => `${name} is on`,
  undo: 'Undo',
  replay: 'The last four weeks, replayed',
  replayNeeds: 'Type which metrics to see what would have been sent.',
  replayLoading: 'Replaying…',
  covers: (count: number) => `Watches ${countOf(count, 'metric')}.`,
  coversNone: 'No metric has these labels now. Those that come later are watched.',
  would: (sent: number, anomalies: number) =>
    `${countOf(sent, 'message')} would have been sent. There were ${countOf(anomalies, 'anomaly', 'anomalies')}.`,
  severityInEffect: (severity: number) => `The budget leaves what has severity ${String(severity)} or more.`,
  day: (date: string, sent: number, keptBack: number) =>
    `${date}: ${countOf(sent, 'message')}, ${String(keptBack)} kept back`,
  days: 'Messages of each day',
  messages: 'What would have been sent',
  noMessages: 'Nothing. Raise the number of messages, or choose more metrics.',
  partial: 'There was more than can be listed.',
} as const;
