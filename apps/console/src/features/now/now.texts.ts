import { texts as shared } from '../../components/components.texts';
import { countOf, countText } from '../../lib/numbers';

const NUMBERS = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
];
const numeral = (count: number): string => NUMBERS[count] ?? countText(count);

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

export const texts = {
  page: 'Now',
  odd: (count: number, since: string) =>
    `${numeral(count)} ${count === 1 ? 'thing has' : 'things have'} been odd since ${since}.`,
  fine: 'Nothing is odd.',
  lastWas: 'The last was',
  neverOdd: 'There has been no anomaly so far.',
  stillLearning: 'Nothing is odd yet. Your metrics are still being learnt; anomalies appear after that.',
  others: (count: number) => `${countOf(count, 'other metric is', 'other metrics are')} as usual.`,
  noData: 'No data has arrived yet.',
  noDataText: 'Send the first points. The first metrics are learnt within an hour; then this page shows what is odd.',
  start: 'Send data',
  incidents: 'Open incidents',
  allIncidents: (count: number) => `All ${countText(count)} open incidents`,
  origin: 'Began at',
  members: (count: number) => countOf(count, 'metric'),
  notified: (channels: readonly (keyof typeof shared.channels)[], at: string) =>
    channels.every((channel) => channel === 'demo')
      ? `Recorded in the demo mailbox at ${at}; nothing was sent.`
      : `Sent by ${listed(channels.map((channel) => shared.channels[channel]))} at ${at}.`,
  notNotified: 'No message was sent.',
  open: 'Open',
  why: 'Why was this opened?',
  openIncident: (title: string) => `Open ${title}`,
  since: 'Since',
  lanes: (length: string) => `Worst metrics, last ${length}`,
  lanesFixed: (length: string) => `Worst metrics, ${length}`,
  hours: (count: number) => `${String(count)} h`,
  lanesLegend: 'Severity of the bars',
  lanesExpected: 'expected',
  lanesPartial: (count: number) => `Only the newest ${countText(count)} anomalies are drawn`,
  lanesLabel: 'Anomalies of the worst metrics over time; each bar opens its anomaly',
  lanesEmpty: 'No metric had an anomaly in this window.',
  asTable: 'As a table',
  asPicture: 'As a picture',
  bar: (what: string, metric: string, from: string, until: string, lasted: string) =>
    `${what}, ${metric}, ${from} – ${until} (${lasted})`,
  anomaly: (severity: string, kind: string) => `${severity}: ${kind}`,
  expected: (kind: string) => (kind === '' ? 'expected' : `expected: ${kind}`),
  matched: (label: string) => (label === '' ? 'matches a pattern' : `matches ${label}`),
  stillOpen: 'now',
  columns: { metric: 'Metric', what: 'What', from: 'From', until: 'Until', lasted: 'Lasted' },
  most: 'Most anomalous',
  mostEmpty: 'None in this window.',
  anomalies: (count: number) => countOf(count, 'anomaly', 'anomalies'),
  matches: 'Latest matches',
  matchesEmpty: 'Nothing has matched a pattern yet. To teach one, open an expected anomaly.',
  toJudge: 'not judged yet',
  judged: (isRight: boolean) => (isRight ? 'marked correct' : 'marked wrong'),
  health: 'Data',
  metrics: (total: number) => countOf(total, 'metric'),
  learnt: (count: number) => `${countText(count)} learnt`,
  sending: (count: number) => `${countText(count)} sending`,
  silent: (count: number) => `${countText(count)} silent`,
  lastPoint: 'last point',
  noPoint: 'no point yet',
  messages: (count: number) => `${countOf(count, 'message')} this week`,
  waiting: (count: number) =>
    `${countOf(count, 'metric has a match', 'metrics have matches')} that ${count === 1 ? 'waits' : 'wait'} for your verdict`,
  keyAcknowledge: 'Acknowledge the incident',
  group: 'Now',
} as const;
