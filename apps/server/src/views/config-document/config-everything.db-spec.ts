import { seededRandom } from '#libs/synthetic';
import { aConfigApp, type ConfigChange, ConfigOrg } from '../../../../../test/support/config-org.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, type MetricApp } from '../../../../../test/support/metric-app.js';
import { paramsOf } from '../../common/validation/param-registry.js';
import { DetectionTicksService } from '../../analysis/detection/detection-ticks.service.js';
import { UserService } from '../../people/user/user.service.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';

const DAY = 86_400;
/** Number of names given to tunings and exclusions; watchers get all of them. */
const SOME_NAMES = 30;
/** Each test makes hundreds of calls. */
const TIMEOUT_MS = 180_000;

const ADDRESS = 'null@example.org';

let app: MetricApp;
let org: ConfigOrg;
let token: string;
let userId: number;

beforeAll(async () => {
  app = await aConfigApp();
  // The ticks run by hand, because each one uses a position of the point log.
  await app.byHand(DetectionTicksService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await anotherOrg();
});

/** Moves the address of the user to a new organisation: documents name users by address, and addresses are unique. */
async function anotherOrg(): Promise<void> {
  const { dataSource } = app.database;
  await dataSource.query(`UPDATE user_account SET email = id || '@example.org' WHERE email = $1`, [ADDRESS]);
  org = await ConfigOrg.create(app);
  ({ token } = org);
  userId = (await app.aUser(org.id, 'Ann')).id;
  const reached = { email: ADDRESS, phoneNumber: '+4799999999', chatMemberId: 'U012AB3CD' };
  await app.get(UserService).update(org.id, userId, reached);
}

const call = (...args: Parameters<ConfigOrg['call']>): Promise<Answer> => org.call(...args);
const exported = (format: string): Promise<string> => org.exported(format);
const apply = (document: string, options?: object): Promise<ConfigChange[]> => org.apply(document, options);
const changed = (changes: readonly ConfigChange[]): ConfigChange[] =>
  changes.filter(({ action }) => action !== 'unchanged');

/** Values of all sequences of the database, after pending events have been written. */
async function counters(): Promise<object[]> {
  await app.get(EventRecorderService).flush();
  return app.database.dataSource.query('SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
}

/** Valid texts that YAML, JSON, placeholders, diffs or keys could misinterpret. */
const TEXTS = [
  'null',
  '~',
  'true',
  'No',
  '1',
  '0x1f',
  '1e3',
  '.inf',
  '2026-01-01',
  '12:30:45',
  '=',
  '<<',
  '?',
  '- a',
  'a: b',
  'a #b',
  '#a',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '---',
  '...',
  "'",
  '"',
  'it\'s "so"',
  '\\',
  '\\n',
  '{a}',
  '[a]',
  '["web"]',
  '["web","cpu"]',
  'a, b',
  '${NAME}',
  '$${NAME}',
  '$$${NAME}',
  'a ${B} c',
  '$NAME',
  '${',
  '__proto__',
  'constructor',
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  'İstanbul',
  'i̇stanbul',
  'istanbul',
  'STRASSE',
  'straße',
  'ẞ',
  'ﬁ',
  'FI',
  '🙂',
  'מטרה',
  'a\u200Bb',
  'a\u2028b',
  'a\u00A0b',
  'é',
  '************abcd',
  '.a',
  'a.',
  '..',
  'yes',
  'on',
  '-',
  '0o17',
  '1_000',
  '-0',
  'a:',
  ': a',
  ', a',
  '\u{1F469}\u200D\u{1F4BB}',
  'a\u2029b',
  'a\uFEFFb',
  'x'.repeat(100),
  '🙂'.repeat(100),
];
/** Chips that select some metrics, and not nearly all. */
const CHIPS = [
  'web-*',
  '-idle',
  'job:api',
  '"a: b"',
  '"it\'s ${SO}"',
  '@name:"a.b{x=\\"y\\"}"',
  '@source:http',
  'ÄÖ',
  'job:"null"',
  '"[1]"',
  '--double',
  'k:~',
];

/** Services with all of their fields. */
const SERVICES: Readonly<Record<string, object>> = {
  webhook: {
    url: 'https://example.org/hook?a=${B}&c=%23d',
    secret: `whsec_${'QUJD'.repeat(8)}`,
    events: ['incident.opened', 'anomaly.opened'],
  },
  pagerduty: { routing_key: 'R0123456789012345678901234567890' },
  chat: { chat_api_token: 'xoxb-1234567890-abcdefghij', default_chat_channel: '#yes', threads: false },
  teams_chat: { teams_chat_webhook: 'https://example.org/workflows/1?sig=${B}' },
  sms: { api_base_url: 'https://sms.example.org', account_sid: '1e3', auth_token: '0x1f', from_number: 'No' },
  email: {
    smtp_host: 'mail.example.org',
    smtp_port: 465,
    smtp_security: 'tls',
    from_address: 'true@example.org',
    from_name: '- null: #',
    smtp_username: '- a: b',
    smtp_password: '"null" # ${NAME}',
  },
  alertmanager: {
    url: 'https://alertmanager.example.org',
    username: '~',
    password: '$${NAME}',
    bearer_token: 'null',
    extra_labels: { null: 'null', yes: '${NAME}', constructor: '1e3', _: '- a', n: ': #' },
  },
  prometheus: { histograms: 'buckets', quantiles: [0.001, 0.5] },
  opentelemetry: { histograms: 'none', quantiles: [0.25], resource_attributes: ['null', '-', '1e3', 'a:'] },
};

async function makeAll(seed: number): Promise<void> {
  const next = seededRandom(seed);
  const some = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const chips = (): string[] => ['web', ...new Set([some(CHIPS), some(CHIPS)])];
  const names = TEXTS.map((text) => ({ text, order: next() }))
    .sort((one, other) => one.order - other.order)
    .map(({ text }) => text);
  for (const [service, settings] of Object.entries(SERVICES)) {
    await call('put', `/integration/${service}/orgproperties`, settings);
  }
  await makeAdminAlerts();
  await makeTunings(names, some, chips);
  await makeWatchers(names, some, chips);
  await makeExclusions(names, some, chips);
}

async function makeAdminAlerts(): Promise<void> {
  await call('put', '/org/adminalerts', {
    type_1_enabled: false,
    type_1_email_users: [userId],
    type_1_sms_users: [userId],
    type_1_chat_channel: '#no',
    type_1_wait_seconds: 600,
    type_1_expiration_seconds: 7200,
  });
}

type Some = <T>(from: readonly T[]) => T;

async function makeTunings(names: readonly string[], some: Some, chips: () => string[]): Promise<void> {
  for (const name of names.slice(0, SOME_NAMES)) {
    await call('post', '/tuning', {
      name,
      chips: chips(),
      sensitivity: some([0.25, 1, 1 / 3, 4]),
      direction: some(['both', 'up', 'down']),
      kinds: some([[], ['dip', 'spike']]),
      min_duration_seconds: some([0, 86_400]),
      period_seconds: some([null, 0, 3600]),
      minimum_size: some([null, 0, 1e-9, 1e21]),
      false_alarms_per_month: some([null, 0.01, 100]),
    });
  }
  // The same name with other chips, no name, and a name that is spelled like the chips of another tuning.
  for (const one of [['web'], ['cpu'], ['web', 'cpu'], ['cpu', 'disk']]) {
    await call('post', '/tuning', { name: names[0]!, chips: one, direction: 'up' });
    await call('post', '/tuning', { chips: one, min_duration_seconds: 60 });
    await call('post', '/tuning', { name: JSON.stringify(one), chips: ['other'] });
  }
}

async function makeWatchers(names: readonly string[], some: Some, chips: () => string[]): Promise<void> {
  const users = { email_users: [userId], sms_users: [userId], chat_mention_users: [userId] };
  const report = { summary_report_frequency: 'monthly-28-23:59', summary_report_users: [userId] };
  for (const [index, name] of names.entries()) {
    const isThreshold = some([true, false]);
    const threshold = {
      algorithm: 'above',
      value: some([0, -1.5e-9, 1e300]),
      times_in_a_row: 3,
      function: 'mean',
      function_seconds: 300,
    };
    const anomalies = {
      min_severity: 50,
      min_duration_seconds: 60,
      direction: 'down',
      kinds: ['dip'],
      alert_budget_per_week: some([null, 0.1]),
    };
    const body = {
      name,
      chips: chips(),
      alert: some([true, false]),
      chat_channel: some(['', '#ops']),
      webhook: some([true, false]),
      pagerduty: some([true, false]),
      alertmanager: some([true, false]),
      teams_chat_webhook: some(['', `https://example.org/hook?sig=${String(index)}`]),
      expiration_time: some([3600, 7200]),
      ...some([{}, users]),
      ...some([{}, report]),
      ...(isThreshold ? threshold : anomalies),
    };
    const answer = await app.call('post', isThreshold ? '/watcher/threshold' : '/watcher', { token }, body);
    // A name that the database considers equal is refused.
    expect([200, 409]).toContain(answer.status);
  }
  const others = [
    { algorithm: 'below', value: 1 },
    { algorithm: 'no_data', value: 600 },
    { algorithm: 'outside', value: 1, value_upper: 2 },
    { algorithm: 'drop_off', minimum_avg: 5, minimum_avg_seconds: 300, drop_percent: 50 },
  ];
  for (const one of others) await call('post', '/watcher/threshold', { chips: ['web', one.algorithm], ...one });
  await call('post', '/watcher', { chips: ['web'], expiration_time: 2, expiration_time_unit: 'week' });
}

async function makeExclusions(names: readonly string[], some: Some, chips: () => string[]): Promise<void> {
  for (const [index, reason] of [...names.slice(-SOME_NAMES), 'x'.repeat(255), '🙂'.repeat(255)].entries()) {
    const recurring = {
      recurrence_days: some([['sun', 'mon'], ['mon', 'sun'], ['fri']]),
      recurrence_start: '23:30',
      recurrence_duration_seconds: 7200,
    };
    const bounded = { from: START + index * 60, until: START + 3600 + index * 60 };
    await call('post', '/exclusion', {
      type: some(['alerting', 'learning']),
      chips: [...chips(), `n${String(index)}`],
      reason,
      ...some([{}, recurring, bounded, { ...recurring, ...bounded }]),
    });
  }
  for (const type of ['analysis', 'stale_alert']) await call('post', '/exclusion', { type, chips: ['web', '"a, b"'] });
}

/** Fills in the variables of an exported document. An escaped placeholder is plain text. */
const filled = (document: string): string =>
  document.replace(/(\$?)\$\{(\w+)\}/g, (written, escape: string, name: string) => {
    if (escape !== '') return written;
    const secret = `https://example.org/hook?sig=${name}`;
    if (name === 'WEBHOOK_SECRET') return `whsec_${'REVG'.repeat(8)}`;
    if (name === 'PAGERDUTY_ROUTING_KEY') return 'R0123456789012345678901234567891';
    return name === 'CHAT_API_TOKEN' ? 'xoxb-1234567890-abcdefghik' : secret;
  });

/** Members that are another form of an exported member. */
const OTHER_FORMS = ['exclusion type_id', 'watcher expiration_seconds'];

/** Members that documents may contain, by kind. */
function describable(): string[] {
  const members = app
    .get(ConfigKindsService)
    .all()
    .flatMap(({ description: { kind, params } }) => {
      const classes = typeof params === 'function' ? [params] : [...params.classes.values()];
      return classes.flatMap((type) => [...paramsOf(type).keys()].map((member) => `${kind} ${member}`));
    });
  return [...new Set(members)].filter((member) => !OTHER_FORMS.includes(member)).sort();
}

/** Members of an exported JSON document, by kind. */
function membersOf(json: string): string[] {
  const objects = JSON.parse(json) as { kind: string }[];
  const members = objects.flatMap(({ kind, ...fields }) => Object.keys(fields).map((member) => `${kind} ${member}`));
  return [...new Set(members)].sort();
}

/** One object of each removable kind: `prune` removes all others. */
const OTHERS = [
  'kind: tuning\nname: other\nchips: [a]',
  'kind: exclusion\ntype: alerting\nchips: [zz]',
  'kind: watcher\nchips: [a]',
].join('\n---\n');

describe('an export of everything that the product can store', () => {
  it.each([
    ['yaml', 1],
    ['json', 2],
  ])(
    'changes nothing where it was exported, and recreates everything elsewhere (%s, %d)',
    async (format, seed) => {
      await makeAll(seed);
      const document = await exported(format);
      expect(membersOf(await exported('json'))).toEqual(describable());
      // Objects that were valid when they were created stay valid.
      app.clock.seconds += DAY;
      const before = await counters();
      expect(changed(await apply(document, { prune: true, dry_run: true }))).toEqual([]);
      expect(changed(await apply(document, { prune: true }))).toEqual([]);
      expect(await counters()).toEqual(before);

      await anotherOrg();
      const elsewhere = await counters();
      const wanted = await apply(filled(document), { dry_run: true });
      expect(await counters()).toEqual(elsewhere);
      const created = await apply(filled(document));
      expect(created).toEqual(wanted);
      const actions = new Set(created.filter(({ kind }) => kind !== 'admin_alert').map(({ action }) => action));
      expect(actions).toEqual(new Set(['created']));
      expect(changed(created.filter(({ kind }) => kind === 'admin_alert'))).toMatchObject([{ name: 'no_data' }]);
      expect(await exported(format)).toBe(document);
      const after = await counters();
      expect(changed(await apply(document, { prune: true }))).toEqual([]);
      expect(changed(await apply(filled(document), { prune: true }))).toEqual([]);

      const removed = await apply(OTHERS, { prune: true, dry_run: true });
      expect(await counters()).toEqual(after);
      expect(await exported(format)).toBe(document);
      expect(await apply(OTHERS, { prune: true })).toEqual(removed);
      expect(await apply(filled(document), { dry_run: true, prune: true })).toContainEqual(
        expect.objectContaining({ action: 'created', kind: 'tuning' }),
      );
    },
    TIMEOUT_MS,
  );

  it.each(['yaml', 'json'])('applies without a change when values were -0 (%s)', async (format) => {
    await apply('kind: watcher\ntype: threshold\nname: a\nchips: [a]\nalgorithm: above\nvalue: -0');
    await apply('kind: tuning\nname: a\nchips: [a]\nminimum_size: -0.0');
    expect(changed(await apply(await exported(format), { prune: true }))).toEqual([]);
  });
});
