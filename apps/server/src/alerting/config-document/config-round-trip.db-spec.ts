import { Permission } from '#libs/contracts';
import { seededRandom } from '#libs/synthetic';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { TuningModule } from '../../analysis/tuning/tuning.module.js';
import { AdminAlertModule } from '../admin-alert/admin-alert.module.js';
import { IntegrationModule } from '../integration/integration.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { ConfigDocumentModule } from './config-document.module.js';

let app: MetricApp;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_OUTGOING: 'any' } }, [
    AdminAlertModule,
    ConfigDocumentModule,
    IntegrationModule,
    TuningModule,
    WatcherModule,
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await anotherOrg();
});

async function anotherOrg(): Promise<void> {
  token = await app.aToken((await app.anOrg()).id, Permission.Read, Permission.Write, Permission.Admin);
}

const call = async (method: 'get' | 'post' | 'put', path: string, body?: object): Promise<Answer> => {
  const answer = await app.call(method, path, { token }, body);
  expect([path, body, answer.status, answer.data.error?.details]).toEqual([path, body, 200, undefined]);
  return answer;
};
const exported = async (format: string): Promise<string> =>
  (await call('get', `/config/export?format=${format}`)).data.document as string;
const apply = async (document: string, options: object = {}): Promise<string[]> => {
  const { status, data } = await app.call('post', '/config/apply', { token }, { document, ...options });
  expect([status, data.error?.details, data.message]).toEqual([200, undefined, 'OK']);
  return (data.changes as { action: string }[]).map(({ action }) => action);
};

/** Texts that a person may type, and that YAML, JSON, placeholders, diffs or keys could take for something else. */
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
  'x'.repeat(100),
];
/** Chips that select something, and are no broad ones. */
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

async function makeAll(seed: number): Promise<void> {
  const next = seededRandom(seed);
  const some = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const chips = (): string[] => ['web', ...new Set([some(CHIPS), some(CHIPS)])];
  await call('put', '/integration/webhook/orgproperties', {
    url: 'https://example.org/hook?a=${B}&c=%23d',
    events: ['incident.opened', 'anomaly.opened'],
  });
  await call('put', '/integration/pagerduty/orgproperties', { routing_key: 'R0123456789012345678901234567890' });
  await apply('kind: admin_alert\ncode: no_data\nwait_seconds: 600');
  const names = [...TEXTS].sort(() => next() - 0.5);
  for (const name of names.slice(0, 14)) {
    await call('post', '/tuning', {
      name,
      chips: chips(),
      sensitivity: some([0.25, 1, 1 / 3, 4]),
      kinds: some([[], ['dip', 'spike']]),
      period_seconds: some([null, 0, 3600]),
      minimum_size: some([null, 0, 1e-9, 1e21]),
      false_alarms_per_month: some([null, 0.01]),
    });
  }
  // The same name for other metrics, and no name at all; one is called as the other's chips are written.
  for (const one of [['web'], ['cpu'], ['web', 'cpu'], ['cpu', 'disk']]) {
    await call('post', '/tuning', { name: names[0]!, chips: one, direction: 'up' });
    await call('post', '/tuning', { chips: one, min_duration_seconds: 60 });
    await call('post', '/tuning', { name: JSON.stringify(one), chips: ['other'] });
  }
  for (const name of names) {
    const threshold = {
      algorithm: 'above',
      value: some([0, -1.5e-9, 1e300]),
      times_in_a_row: 3,
      function: 'mean',
      function_seconds: 300,
    };
    const isThreshold = next() < 0.5;
    const own = isThreshold
      ? threshold
      : { min_severity: 50, kinds: ['dip'], alert_budget_per_week: some([null, 0.1]) };
    const answer = await app.call(
      'post',
      isThreshold ? '/watcher/threshold' : '/watcher',
      { token },
      {
        name,
        chips: chips(),
        webhook: next() < 0.5,
        pagerduty: next() < 0.5,
        teams_chat_webhook: some(['', 'https://example.org/hook?sig=1']),
        ...own,
      },
    );
    // What is the same name to the database is refused.
    expect([200, 409]).toContain(answer.status);
  }
  for (const [algorithm, value] of [
    ['below', 1],
    ['no_data', 600],
  ] as const)
    await call('post', '/watcher/threshold', { chips: ['web', algorithm], algorithm, value });
  await call('post', '/watcher/threshold', { chips: 'web,outside', algorithm: 'outside', value: 1, value_upper: 2 });
  await call('post', '/watcher/threshold', {
    chips: 'web,drop',
    algorithm: 'drop_off',
    minimum_avg: 5,
  });
  for (const [index, reason] of names.slice(0, 20).entries()) {
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
  for (const type of ['analysis', 'stale_alert'])
    await call('post', '/exclusion', { type, chips: ['web', '"a, b"'], reason: 'two\nlines' });
}

/** Secrets as a person would set them in the environment. */
const filled = (document: string): string =>
  document.replace(/(?<!\$)((?:\$\$)*)\$\{(\w+)\}/g, (_, escape: string, name: string) => {
    if (/WEBHOOK_SECRET/.test(name)) return `${escape}whsec_${'QUJD'.repeat(8)}`;
    return escape + (/ROUTING_KEY/.test(name) ? 'R0123456789012345678901234567890' : 'https://example.org/hook?sig=2');
  });

describe('what the product made itself', () => {
  it.each([1, 2, 3])('is exported, changes nothing here, and makes the same elsewhere (%s)', async (seed) => {
    await makeAll(seed);
    for (const format of ['yaml', 'json']) {
      const document = await exported(format);
      // Some time later, too: what was sound when it was made stays so.
      app.clock.seconds += 86_400;
      expect(new Set(await apply(document, { prune: true }))).toEqual(new Set(['unchanged']));
      const home = token;
      await anotherOrg();
      expect(new Set(await apply(filled(document)))).toEqual(new Set(['created', 'updated']));
      expect(await exported(format)).toBe(document);
      expect(new Set(await apply(document, { prune: true }))).toEqual(new Set(['unchanged']));
      token = home;
    }
  });

  it('is exported once where changes have made two the same, and the one that counts stays', async () => {
    const [older, newer] = [
      await call('post', '/tuning', { chips: 'a', name: 'x', sensitivity: 2 }),
      await call('post', '/tuning', { chips: 'b', name: 'x', sensitivity: 3 }),
    ];
    await call('put', `/tuning/${String(older.data.tuning.id)}`, { chips: 'b' });
    const document = await exported('yaml');
    expect(document).toContain('sensitivity: 3');
    expect(new Set(await apply(document))).toEqual(new Set(['unchanged']));
    expect((await apply(document, { prune: true })).filter((action) => action !== 'unchanged')).toEqual(['removed']);
    expect((await call('get', '/tunings')).data.tunings).toMatchObject([{ id: newer.data.tuning.id }]);
  });

  it('of a name alone is changed where a document says other chips, and not another one of that name', async () => {
    await call('post', '/tuning', { name: 'x', chips: 'a' });
    await call('post', '/tuning', { name: 'x', chips: 'b' });
    const named = (chips: string) => `- kind: tuning\n  name: x\n  chips: [${chips}]\n`;
    expect(await apply(named('a') + named('c') + named('d'))).toEqual(['unchanged', 'updated', 'created']);
    expect((await call('get', '/tunings')).data.tunings.map(({ chips }: { chips: string[] }) => chips[0])).toEqual([
      'd',
      'c',
      'a',
    ]);
  });
});
