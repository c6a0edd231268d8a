import { countOf, countText } from '../../lib/numbers';
import { type Schema } from '../../lib/api';
import { type StepId } from './start-search';

export const texts = {
  title: 'First steps',
  done: 'done',
  steps: {
    send: 'Send data',
    learn: 'Let it learn',
    anomaly: 'See the first anomaly',
    teach: 'Teach what is expected',
    alert: 'Get a message',
  } as Readonly<Record<StepId, string>>,

  waiting: 'Waiting for the first point…',
  waitingHint: 'Use one of the configurations below; this page updates itself.',
  receiving: (count: number) => `Receiving ${countOf(count, 'metric')}.`,
  silent: (count: number, since: string) => `${countOf(count, 'metric')}, but no point has come for ${since}.`,
  lastPoint: (ago: string) => `Last point ${ago}.`,
  judged: (count: number) => `${countText(count)} ${count === 1 ? 'is' : 'are'} learnt`,
  judgedNext: (count: number, time: string) => `${countText(count)} more in ${time}`,
  noneJudged: (count: number, time: string) => `${countOf(count, 'metric')} learnt in ${time}`,

  tokenNeeded: 'The configuration needs a token that may only send data.',
  makeToken: 'Create a token',
  orFetch:
    'Or let Plumbline fetch the data. With history from Prometheus, Graphite, InfluxDB or an SQL database, metrics are judged within minutes.',
  orFetchLink: 'Add a source',
  tokenName: 'Created in First steps',
  tokenShown: 'The configuration below contains this token. It is shown only once: store it.',
  tokenByAdmins: (names: string) => `Only administrators create tokens: ask ${names}.`,
  tokenByAdmin: 'Only administrators create tokens: ask one of them.',
  demoLooksOnly: 'Demo visitors have read-only access: to send data you need your own organisation.',

  tests: 'Test without storing',
  testsNone:
    'Send points with the header “X-Test-Only: true”: nothing is stored, and what would be stored is listed here for ten minutes.',
  testsFound: (stored: number, refused: number) =>
    `Test requests of the last ten minutes: ${countOf(stored, 'metric')} would be stored, ${countText(refused)} refused.`,
  testsOverQuota: (limit: number) => `They exceed the limit of ${countOf(limit, 'metric')}.`,
  testsStored: 'Would be stored',
  testsRefused: 'Would be refused',
  testsEmpty: 'Sent without a number',
  testsMore: (count: number) => `and ${countText(count)} more`,
  type: 'Type',
  lastValue: 'Last value',
  refusals: {
    over_quota: 'the limit of metrics is reached',
    excluded: 'the metric is excluded',
    bad_name: 'not a metric name',
    too_old: 'too old: send history with “backfill”',
    in_future: 'the time is in the future',
    not_finite: 'not a finite number',
    not_numeric: 'not a number',
    bad_timestamp: 'not a time',
    too_many_labels: 'too many labels',
  } as Readonly<Record<Schema<'DroppedMetricDto'>['reason'], string>>,

  learnText:
    'A metric is judged from its hundredth point on. Its daily pattern is known after two days, its weekly pattern after two weeks. ' +
    'History that you send first, as CSV or with "backfill", counts.',
  learnEmpty: 'No metric yet',
  learnEmptyHint: 'Send a first point: step 1.',
  states: { collecting: 'collecting', learning: 'learning', live: 'live', resting: 'at rest' },
  stateHints: {
    collecting: 'fewer than 100 points',
    learning: 'judged, for less than a day',
    live: 'judged',
    resting: 'excluded or silent',
  },
  ofNewest: (shown: number, total: number) => `The newest ${countText(shown)} of ${countOf(total, 'metric')}.`,
  metric: 'Metric',
  points: 'Points',
  pointsOf: (have: number) => `${countText(have)} of 100`,
  range: 'Range',
  daily: 'Days',
  weekly: 'Weeks',
  ready: 'known',
  notKnown: '–',
  inTime: (time: string) => `in ${time}`,
  moreRows: (count: number) => `${countText(count)} more at Metrics`,

  anomalyNone: 'No anomaly so far',
  anomalyNoneHint: 'That is normal. The first one appears here, with the expected values and the reason.',
  anomalyText: 'An anomaly shows the expected values, the actual values, and why it was opened.',
  anomalyOpen: 'Open it',
  anomalyAll: 'All anomalies',
  anomalyCount: (count: number) => `${countOf(count, 'anomaly', 'anomalies')} in the last 30 days.`,

  teachText:
    'A nightly job, a release, a Monday: open an expected anomaly and press "This is expected". Similar shapes cause no ' +
    'message from then on; shapes that are higher, later or missing still do.',
  teachDone: 'A pattern has been taught.',
  teachOpen: (metric: string) => `Teach with ${metric}`,
  teachLink: 'What has been taught',

  alertText:
    'A watcher says of which metrics, from which severity on or how many messages a week, and who gets them. A new one shows the last four weeks as they would have been.',
  alertLink: 'Watchers',
  alertSteps: {
    create_watcher: 'A watcher has been created',
    send_test_alert: 'A test message has been sent',
  } as Readonly<Record<string, string>>,
  openStep: (text: string, isDone: boolean) => `${text}: ${isDone ? 'done' : 'open'}`,

  jobs: 'Running now',
  percent: (percent: number) => `${String(percent)} %`,
  tour: 'Guided tour',
  tourText: (done: number, all: number) => `${String(done)} of ${String(all)} seen`,
  look: 'View',
} as const;
