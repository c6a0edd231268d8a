import { countOf, countText } from '../../lib/numbers';
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
  waitingHint: 'Paste one of the lines below; this changes by itself.',
  receiving: (count: number) => `Receiving ${countOf(count, 'metric')}.`,
  silent: (count: number, since: string) => `${countOf(count, 'metric')}, but no point has come for ${since}.`,
  lastPoint: (ago: string) => `Last point ${ago}.`,
  judged: (count: number) => `${countText(count)} ${count === 1 ? 'is' : 'are'} learned`,
  judgedNext: (count: number, time: string) => `${countText(count)} more in ${time}`,
  noneJudged: (count: number, time: string) => `${countOf(count, 'metric')} learned in ${time}`,

  tokenNeeded: 'The lines need a token that may send data and nothing else.',
  makeToken: 'Make a token',
  orFetch:
    'Or let Plumbline fetch: from a Prometheus, Graphite, InfluxDB or SQL database that has a past, the first verdicts are there within minutes.',
  orFetchLink: 'Add a source',
  tokenName: 'Made at the first steps',
  tokenShown: 'This token stands in the lines below. It is shown only now: store it.',
  tokenByAdmins: (names: string) => `Administrators make tokens: ask ${names}.`,
  tokenByAdmin: 'Administrators make tokens: ask one of them.',
  demoLooksOnly: 'Visitors of the demo only look: sending data needs an organisation of your own.',

  learnText:
    'A metric is judged from its hundredth point on. Its days are known after two of them, its weeks after two weeks. ' +
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
  anomalyNoneHint: 'That is the usual state. The first one is shown here, with what was expected and why it opened.',
  anomalyText: 'An anomaly says what was expected, what came, and why it opened.',
  anomalyOpen: 'Open it',
  anomalyAll: 'All anomalies',
  anomalyCount: (count: number) => `${countOf(count, 'anomaly', 'anomalies')} in the last 30 days.`,

  teachText:
    'A nightly job, a release, a Monday: open an anomaly that is expected and press "This is expected". What looks like it ' +
    'sends no message from then on; what is higher, later or missing still does.',
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
  look: 'Look',
} as const;
