import { countOf, countText } from '../../lib/numbers';

export const texts = {
  title: 'Incidents',
  group: 'Incidents',
  count: (count: number) => countOf(count, 'incident'),
  state: 'State',
  states: { all: 'Open and resolved', open: 'Open', resolved: 'Resolved' },
  severity: 'Minimum severity',
  severities: { all: 'All severities', minor: 'Minor and worse', major: 'Major and worse', critical: 'Critical' },
  order: 'Order',
  orders: { newest: 'Newest first', severity: 'Worst first' },
  none: 'No incident in this window.',
  columns: {
    severity: 'Severity',
    incident: 'Incident',
    origin: 'Likely origin',
    began: 'Began',
    lasted: 'Lasted',
    metrics: 'Metrics',
    line: 'Origin over the window',
    acknowledged: 'Acknowledged',
  },
  keyAcknowledge: 'Acknowledge the incident',
  isOpen: 'open',
  isResolved: 'resolved',
  noOrigin: '–',
  // One incident
  one: (id: string) => `Incident ${id}`,
  began: 'began',
  lasted: 'lasted',
  lasting: 'for',
  metrics: (count: number) => countOf(count, 'metric'),
  anomalies: (count: number) => countOf(count, 'anomaly', 'anomalies'),
  common: 'In common',
  noCommon: 'Its metrics have no label in common.',
  origins: 'Likely origin',
  originsNote: 'Ranked by evidence, which is not proof.',
  noOrigins: 'Not ranked yet.',
  rank: (rank: number) => `${String(rank)}.`,
  percent: (part: number) => `${String(Math.round(part * 100))} %`,
  likelihood: 'Likelihood',
  story: 'What happened',
  storyNote: 'Line: value. Band: expected range. Column: anomaly.',
  events: 'Events',
  marksLabel: 'Events of the incident on the time axis',
  membersLabel: 'Metrics of the incident on one time axis',
  beganIt: 'likely origin',
  beganItWhy: (part: string, reason: string) => `Likely origin, ${part}: ${reason}`,
  peak: (value: string) => `peak ${value}`,
  atTime: (time: string, value: string) => `${time}: ${value}`,
  showAll: (count: number) => `Show all ${countText(count)} metrics`,
  showFew: (count: number) => `Show the first ${countText(count)} only`,
  around: 'Around the incident',
  pageWindow: 'Window of the page',
  spanLabel: 'Times shown',
  notAvailable: 'no expected range yet',
  more: (count: number) => `Show ${countText(count)} more`,
  someMembers: (shown: number, all: number) =>
    `The oldest ${countText(shown)} of ${countText(all)} anomalies are shown.`,
  course: 'In order of time',
  allMessages: 'All messages',
  someMessages: (shown: number, all: number) =>
    `The newest ${countText(shown)} of ${countText(all)} messages are shown.`,
  countedEvents: (count: number) => `${countOf(count, 'event')}:`,
  mark: (time: string, text: string) => `${time}: ${text}`,
  leftItsRange: 'left its expected range',
  joined: (count: number) => `${countOf(count, 'more metric')} left ${count === 1 ? 'its range' : 'their ranges'}: `,
  back: (count: number) => `${countOf(count, 'metric is', 'metrics are')} back: `,
  andMore: (count: number) => (count === 0 ? '.' : ` and ${countText(count)} more.`),
  closed: {
    recovered: 'is back in its range',
    adapted: 'adapted: its new values are now normal',
    trained: 'was taught as expected',
    excluded: 'was excluded',
    data_ended: 'has no further data to judge',
  },
  somebody: 'Somebody',
  acknowledgedAll: (who: string) => `${who} acknowledged.`,
  acknowledgedSome: (who: string) => `${who} acknowledged `,
  note: (note: string) => (note === '' ? '' : ` “${note}”`),
  endedAfter: (length: string) => `The incident ended after ${length}.`,
  stillOpen: (open: number, all: number) =>
    open === all
      ? `${countOf(all, 'metric has', 'metrics have')} not come back.`
      : `${countText(open)} of ${countOf(all, 'metric')} ${open === 1 ? 'has' : 'have'} not come back.`,
  now: 'Now',
  demoMailbox: 'Demo mailbox',
  /** Recipients and messages are counted separately: one recipient can get several messages. */
  messages: (channel: string, count: number, recipients: readonly string[], more: number) => {
    const to =
      recipients.length === 0 ? '' : ` to ${recipients.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
    return count === recipients.length + more || count === 1
      ? `${channel}${to}`
      : `${channel}, ${countOf(count, 'message')}${to}`;
  },
  ofWatcher: (name: string) => `, watcher ${name}`,
  content: (phase: string, title: string) => ` (${phase}: “${title}”)`,
  recorded: (count: number, what: string) =>
    `${count === 1 ? 'Message' : countOf(count, 'message')} recorded in the demo mailbox${what}; nothing was sent.`,
  sent: (what: string) => `${what}.`,
  failed: (what: string, attempts: number, why: string) =>
    `${what}: failed after ${countOf(attempts, 'attempt')}${why === '' ? '' : `: ${why}`}.`,
  retrying: (what: string, attempts: number, why: string) =>
    `${what}: not delivered after ${countOf(attempts, 'attempt')}${why === '' ? '' : `: ${why}`}.`,
  queued: (what: string) => `${what}: queued.`,
  suppressed: (what: string, why: string) => `${what}: suppressed${why === '' ? '' : `, ${why}`}.`,
  fromMessage: 'The anomaly from your message is marked.',
  memberLabel: (metric: string) => `${metric}: value and expected range, its anomalies marked`,
  allIncidents: 'All incidents',
} as const;
