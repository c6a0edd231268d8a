import { Permission } from '#libs/contracts';
import { aConfigApp, actionsOf, ConfigOrg } from '../../../../../test/support/config-org.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, type MetricApp } from '../../../../../test/support/metric-app.js';

let app: MetricApp;
let org: ConfigOrg;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await aConfigApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await anotherOrg();
});

async function anotherOrg(): Promise<void> {
  org = await ConfigOrg.create(app);
  ({ id: orgId, token } = org);
}

const apply = (document: string, options?: object): Promise<Answer> => org.answerTo(document, options);
const exported = (format?: string): Promise<string> => org.exported(format);

const DOCUMENT = `
kind: tuning
name: web
chips: [web-*]
sensitivity: 0.5
---
- kind: exclusion
  type: alerting
  chips: [job:batch, -idle]
  recurrence_days: [mon, tue]
  recurrence_start: '22:00'
  recurrence_duration_seconds: 7200
- kind: admin_alert
  code: no_data
  wait_seconds: 600
`;

describe('configuration documents', () => {
  it('create what they describe, and change nothing when applied again', async () => {
    const first = await apply(DOCUMENT);
    expect(first.status).toBe(200);
    expect(first.data).toMatchObject({ applied: true, message: 'OK' });
    expect(actionsOf(first)).toEqual([
      'created tuning web',
      'created exclusion alerting: job:batch, -idle',
      'updated admin_alert no_data',
    ]);
    expect(first.data.changes[2].diff).toBe('wait_seconds: 300 -> 600');
    const before = await exported();
    const written = await org.auditEntries();
    const second = await apply(DOCUMENT);
    expect(actionsOf(second).map((text) => text.split(' ')[0])).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await org.auditEntries()).toBe(written);
    expect(await exported()).toBe(before);
    expect((await app.call('get', '/tunings', { token })).data.tunings).toMatchObject([
      { name: 'web', sensitivity: 0.5 },
    ]);
    const kinds = (await app.events(orgId)).map(([type]) => type);
    expect(kinds).toEqual(expect.arrayContaining(['tuning_added', 'exclusion_added']));
  });

  it.each(['yaml', 'json'])(
    'are exported as %s, change nothing here and recreate everything elsewhere',
    async (format) => {
      await apply(DOCUMENT);
      const document = await exported(format);
      const again = await apply(document, { prune: true });
      expect(new Set(actionsOf(again).map((text) => text.split(' ')[0]))).toEqual(new Set(['unchanged']));
      await anotherOrg();
      expect((await apply(document)).status).toBe(200);
      expect(await exported(format)).toBe(document);
    },
  );

  it('report the changes of a dry run, which changes nothing', async () => {
    await apply(DOCUMENT);
    const before = await exported();
    const dry = await apply(DOCUMENT.replace('0.5', '2').replace('web-*', 'web-1'), { dry_run: true });
    expect(dry.data.applied).toBe(false);
    expect(dry.data.changes[0]).toEqual({
      kind: 'tuning',
      name: 'web',
      action: 'updated',
      diff: 'chips: ["web-*"] -> ["web-1"]\nsensitivity: 0.5 -> 2',
    });
    expect(await exported()).toBe(before);
  });

  it('remove unnamed objects only with prune, and only of the kinds that they contain', async () => {
    await apply(DOCUMENT);
    const other = 'kind: tuning\nname: db\nchips: [db]';
    expect(actionsOf(await apply(other))).toEqual(['created tuning db']);
    expect(actionsOf(await apply(other, { prune: true }))).toEqual(['unchanged tuning db', 'removed tuning web']);
    expect((await app.call('get', '/exclusion/list', { token })).data.total).toBe(1);
  });

  it('omit deleted objects, and create new ones when applied again', async () => {
    await apply(DOCUMENT);
    const document = await exported();
    const ids = async (): Promise<{ tunings: number[]; exclusions: number[] }> => {
      const { tunings } = (await app.call('get', '/tunings', { token })).data as { tunings: { id: number }[] };
      const { exclusions } = (await app.call('get', '/exclusion/list', { token })).data as {
        exclusions: { id: number }[];
      };
      return { tunings: tunings.map(({ id }) => id), exclusions: exclusions.map(({ id }) => id) };
    };
    const before = await ids();
    await app.call('delete', `/tuning/${String(before.tunings[0])}`, { token });
    await app.call('delete', `/exclusion/${String(before.exclusions[0])}`, { token });
    expect(await exported()).not.toMatch(/kind: (tuning|exclusion)/);
    const created = ['created tuning web', 'created exclusion alerting: job:batch, -idle'];
    const unchanged = (text: string): boolean => text.startsWith('unchanged');
    expect(actionsOf(await apply(DOCUMENT, { dry_run: true })).filter((text) => !unchanged(text))).toEqual(created);
    expect(actionsOf(await apply(DOCUMENT)).filter((text) => !unchanged(text))).toEqual(created);
    expect(await exported()).toBe(document);
    const after = await ids();
    expect([after.tunings, after.exclusions].map(({ length }) => length)).toEqual([1, 1]);
    expect(after.tunings).not.toEqual(before.tunings);
    expect(after.exclusions).not.toEqual(before.exclusions);
  });

  it.each([
    ['kind: tuning\nchips: [a]\nsensitivity: 9', ['line 3: sensitivity must be between 0.25 and 4']],
    ['kind: tuning\nname: x', ['line 1: chips is required']],
    ['kind: tuning\nchips: [a]\ncolour: red', ['line 3: colour is not a parameter of this call']],
    ['- kind: nothing', ['line 1: kind must be one of admin_alert, exclusion, tuning']],
    ['kind: source\nname: x', ['line 1: kind must be one of admin_alert, exclusion, tuning']],
    ['name: x', ['line 1: kind is required']],
    ['just text', ['line 1: an object with a kind is needed here']],
    [
      'kind: tuning\nchips: [a\nname: b',
      ['line 3: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['kind: tuning\nkind: tuning', ['line 2: Map keys must be unique']],
    ['kind: tuning\nchips: [a]\n---\nkind: tuning\nchips: [a]', ['line 4: this is described on line 1 already']],
    [`kind: tuning\nchips: ${'['.repeat(100)}`, ['line 2: this is nested too deeply']],
    [
      'kind: admin_alert\ncode: metric_quota_exceeded\nenabled: false',
      ['line 3: enabled cannot be false: this alert is always on'],
    ],
  ])('report the line of the problem in %j', async (document, wanted) => {
    const { status, data } = await apply(document);
    expect(status).toBe(400);
    expect((data.error.details as { message: string }[]).map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining(wanted[0]!.split(': ')[0]!)]),
    );
  });

  it('change nothing if one object is invalid', async () => {
    const before = await exported();
    const unknown = `${DOCUMENT}\n- kind: admin_alert\n  code: invalid_metrics\n  email_users: [999999999]\n`;
    const { status, data } = await apply(unknown);
    expect(status).toBe(400);
    expect(data.error.details).toMatchObject([
      { field: 'document', code: 'unknown_user', message: expect.stringMatching(/^line 19: /) },
    ]);
    expect(await exported()).toBe(before);
    expect((await app.call('get', '/tunings', { token })).data.total).toBe(0);
  });

  it('are limited in the expansion of aliases', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[n]!}`).join(',')}]`),
    ];
    const { status, data } = await apply(`kind: tuning\n${bomb.join('\n')}`);
    expect(status).toBe(400);
    expect(data.error.details[0].message).toMatch(/aliases/);
    const shared = 'kind: tuning\nname: a\nchips: &c [web]\n';
    expect((await apply(shared)).status).toBe(200);
  });

  it('report at most 100 problems', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `"\${A${String(index)}}",`).join('');
    const placeholders = await apply(`kind: tuning\nchips: [${names}]`);
    expect(placeholders.status).toBe(400);
    expect(placeholders.data.error.details).toHaveLength(100);
    const repeated = await apply(`kind: tuning\nchips: [${'"${A}",'.repeat(5000)}]`);
    expect(repeated.data.error.details).toHaveLength(1);
    const objects = await apply('- kind: nothing\n'.repeat(1500));
    expect(objects.status).toBe(400);
    expect(objects.data.error.details).toHaveLength(100);
    expect(objects.data.error.details[99].message).toMatch(/^line 100: /);
  });

  it('are accepted only in the body, since addresses are logged', async () => {
    const { status, data } = await app.call('post', `/config/apply?document=${encodeURIComponent(DOCUMENT)}`, {
      token,
    });
    expect([status, data.error.details[0].code]).toEqual([400, 'body_only']);
  });

  it('require administrator permission', async () => {
    const writer = await app.aToken(orgId, Permission.Read, Permission.Write);
    expect((await app.call('get', '/config/export', { token: writer })).status).toBe(403);
    expect((await app.call('post', '/config/apply', { token: writer }, { document: 'kind: tuning' })).status).toBe(403);
  });
});
