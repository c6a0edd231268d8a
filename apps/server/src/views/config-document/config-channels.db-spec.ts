import { aConfigApp, actionsOf, changesOf, ConfigOrg } from '../../../../../test/support/config-org.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, type MetricApp } from '../../../../../test/support/metric-app.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { findService } from '../../alerting/integration/service-lookup.functions.js';
import { type StoredValues } from '../../alerting/integration/service-definition.types.js';
import { SettingsStoreService } from '../../alerting/integration/settings-store.service.js';

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

/** A user who can be a recipient on every channel. */
async function aRecipient(email: string): Promise<User> {
  const { id } = await app.aUser(orgId, 'Ann');
  return app.get(UserService).update(orgId, id, { email, phoneNumber: '+4799999999', chatMemberId: 'U012AB3CD' });
}

const apply = (document: string, options?: object): Promise<Answer> => org.answerTo(document, options);
const exported = (): Promise<string> => org.exported();
const watchers = async (): Promise<object[]> =>
  (await app.call('get', '/watchers/list', { token })).data.watchers as object[];
const stored = (service: string): Promise<StoredValues> =>
  app.get(SettingsStoreService).read(orgId, findService(service)!);
const diffs = (answer: Answer): Record<string, string> =>
  Object.fromEntries(changesOf(answer).map(({ name, diff }) => [name, diff]));
const problems = ({ data }: Answer): string[] =>
  (data.error.details as { message: string }[]).map(({ message }) => message);
const entries = (): Promise<number> => org.auditEntries();

const SECRETS: Readonly<Record<string, string>> = {
  CHAT_API_TOKEN: 'xoxb-1234567890-abcdefghij',
  PAGERDUTY_ROUTING_KEY: 'R0123456789012345678901234567890',
  WEBHOOK_SECRET: `whsec_${'QUJD'.repeat(8)}`,
  WATCHER_API_ERRORS_TEAMS_CHAT_WEBHOOK: 'https://example.org/workflows/123?sig=very-secret',
};
const filled = (document: string): string =>
  document.replace(/(?<!\$)\$\{(\w+)\}/g, (_, name: string) => JSON.stringify(SECRETS[name]));

const WATCHER = `
kind: watcher
name: API errors
chips: [job:api, errors]
alert: true
min_severity: 50
alert_budget_per_week: 3
chat_channel: '#ops'
teams_chat_webhook: \${WATCHER_API_ERRORS_TEAMS_CHAT_WEBHOOK}
pagerduty: true
expiration_time: 2
expiration_time_unit: hour
email_users: [Ann@example.org]
sms_users: [ann@example.org]
chat_mention_users: [ann@example.org]
summary_report_frequency: weekly-monday-08:00
summary_report_users: [ann@example.org]
---
kind: watcher
type: threshold
name: Queue is long
chips: [queue]
alert: true
algorithm: above
value: 1000
times_in_a_row: 3
webhook: true
`;
const INTEGRATIONS = `
- kind: integration
  service: pagerduty
  routing_key: \${PAGERDUTY_ROUTING_KEY}
- kind: integration
  service: webhook
  url: https://example.org/hook
  secret: \${WEBHOOK_SECRET}
  events: []
- kind: integration
  service: chat
  chat_api_token: \${CHAT_API_TOKEN}
  default_chat_channel: '#alerts'
- kind: integration
  service: alertmanager
  url: https://alertmanager.example.org
  extra_labels: { team: payments, a: b }
`;
/** The watchers come before the integrations that they need. */
const DOCUMENT = `${WATCHER}---${INTEGRATIONS}`;

describe('documents of watchers and integrations', () => {
  beforeEach(() => aRecipient(`ann@example.org`));
  afterEach(() => app.database.dataSource.query(`DELETE FROM user_account WHERE email = 'ann@example.org'`));

  it('create integrations before watchers, and change nothing when applied again', async () => {
    const first = await apply(filled(DOCUMENT));
    expect(first.data.error).toBeUndefined();
    expect(actionsOf(first)).toEqual([
      'created integration pagerduty',
      'created integration webhook',
      'created integration chat',
      'created integration alertmanager',
      'created watcher API errors',
      'created watcher Queue is long',
    ]);
    expect(await watchers()).toMatchObject([
      { name: 'API errors', type: 'anomaly', alert: true, min_severity: 50, alert_budget_per_week: 3, pagerduty: true },
      { name: 'Queue is long', type: 'threshold', threshold: { algorithm: 'above', value: 1000, times_in_a_row: 3 } },
    ]);
    expect(await stored('webhook')).toMatchObject({ url: 'https://example.org/hook', secret: SECRETS.WEBHOOK_SECRET });
    const [before, written] = [await exported(), await entries()];
    const second = await apply(filled(DOCUMENT));
    expect(new Set(actionsOf(second).map((text) => text.split(' ')[0]))).toEqual(new Set(['unchanged']));
    expect([await exported(), await entries()]).toEqual([before, written]);
    const kinds = (await app.events(orgId)).map(([type]) => type);
    expect(kinds).toEqual(expect.arrayContaining(['watcher_created', 'integration_changed']));
  });

  it('are exported with secret placeholders and user addresses, and recreate everything elsewhere', async () => {
    await apply(filled(DOCUMENT));
    const document = await exported();
    for (const secret of Object.values(SECRETS)) expect(document).not.toContain(secret);
    expect([...document.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name).sort()).toEqual(Object.keys(SECRETS).sort());
    expect(document).toContain('email_users:\n  - ann@example.org\n');
    expect(document).toContain('expiration_time: 2\nexpiration_time_unit: hour\n');
    expect(document).toContain('events: []\n');
    await app.database.dataSource.query(`DELETE FROM user_account WHERE email = 'ann@example.org'`);
    await anotherOrg();
    await aRecipient('ann@example.org');
    const there = await apply(filled(document));
    expect(there.data.error).toBeUndefined();
    expect(await exported()).toBe(document);
    expect(await stored('chat')).toMatchObject({ chat_api_token: SECRETS.CHAT_API_TOKEN });
  });

  it('report that a secret changes, and never its value', async () => {
    const created = await apply(filled(DOCUMENT));
    expect(diffs(created).webhook).toContain('secret: set');
    const other = `whsec_${'REVG'.repeat(8)}`;
    const changed = filled(DOCUMENT)
      .replace(SECRETS.WEBHOOK_SECRET!, other)
      .replace('very-secret', 'other-secret')
      .replace('min_severity: 50', 'min_severity: 60');
    const answers = [created, await apply(changed, { dry_run: true }), await apply(changed)];
    for (const { data } of answers) expect(JSON.stringify(data)).not.toMatch(/whsec_|xoxb-|R0123|-secret/);
    expect(diffs(answers[2]!)).toMatchObject({
      webhook: 'secret: changed',
      'API errors': 'min_severity: 50 -> 60\nteams_chat_webhook: changed',
    });
    const trail = await app.database.dataSource.query('SELECT changes::text FROM audit_entry WHERE org_id = $1', [
      orgId,
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/whsec_|xoxb-|R0123|-secret/);
  });

  it.each([
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'i̇stanbul'],
  ])('have one variable per secret, even for names that only differ for the database: %s', async (...names) => {
    const watcher = (name: string, index: number): string =>
      `kind: watcher\nname: ${name}\nchips: [a]\nteams_chat_webhook: https://example.org/${String(index)}\n`;
    expect(actionsOf(await apply(names.map(watcher).join('---\n')))).toEqual(
      names.map((name) => `created watcher ${name}`),
    );
    const variables = [...(await exported()).matchAll(/teams_chat_webhook: (\S+)/g)].map(([, variable]) => variable);
    expect(new Set(variables).size).toBe(2);
  });

  it('keep a stored secret whose placeholder is not filled in', async () => {
    await apply(filled(DOCUMENT));
    const again = await apply(await exported(), { prune: true });
    expect(again.data.error).toBeUndefined();
    expect(actionsOf(again).filter((text) => !text.startsWith('unchanged'))).toEqual([]);
    expect(await stored('pagerduty')).toMatchObject({ routing_key: SECRETS.PAGERDUTY_ROUTING_KEY });
  });

  it('report the line of a placeholder for a missing secret, and of one in any other place', async () => {
    const { status, data } = await apply(`kind: integration\nservice: pagerduty\nrouting_key: \${KEY}`);
    expect([status, data.error.details[0].message]).toEqual([
      400,
      'line 3: routing_key stands for a secret that is not stored here: give its value',
    ]);
    expect(problems(await apply('kind: watcher\nname: ${NAME}\nchips: [a]'))).toEqual([
      'line 2: ${NAME} is not filled in; plumbline apply takes it from its environment',
    ]);
  });

  it('keep text that looks like an escaped placeholder', async () => {
    await apply('kind: watcher\nname: costs $${USD}\nchips: [a]');
    expect(await watchers()).toMatchObject([{ name: 'costs ${USD}' }]);
    expect(await exported()).toContain('name: costs $${USD}\n');
    expect(actionsOf(await apply(await exported()))).toContain('unchanged watcher costs ${USD}');
  });

  it('generate a webhook secret if none is given, and keep it afterwards', async () => {
    const document = 'kind: integration\nservice: webhook\nurl: https://example.org/hook';
    expect(actionsOf(await apply(document))).toEqual(['created integration webhook']);
    const generated = await stored('webhook');
    expect(generated).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect(actionsOf(await apply(document))).toEqual(['unchanged integration webhook']);
    expect(await stored('webhook')).toEqual(generated);
  });

  it('require or generate a new secret when the address changes', async () => {
    const url = (host: string): string => `url: https://${host}.example.org/hook`;
    const manager = (host: string, password: string): string =>
      `kind: integration\nservice: alertmanager\n${url(host)}\nusername: p\npassword: ${password}`;
    await apply(manager('one', 'secret'));
    const refused = await apply(manager('other', '${ALERTMANAGER_PASSWORD}'));
    expect(refused.data.error.details).toEqual([
      {
        field: 'document',
        code: 'required',
        message: 'line 5: password stands for a secret that is stored for another address: give its value',
      },
    ]);
    expect(actionsOf(await apply(manager('one', '${ALERTMANAGER_PASSWORD}')))).toEqual([
      'unchanged integration alertmanager',
    ]);
    expect(actionsOf(await apply(manager('other', 'secret')))).toEqual(['updated integration alertmanager']);
    expect(await stored('alertmanager')).toMatchObject({ password: 'secret' });

    const webhook = (host: string): string => `kind: integration\nservice: webhook\n${url(host)}`;
    await apply(webhook('one'));
    const { secret } = await stored('webhook');
    expect(actionsOf(await apply(webhook('other')))).toEqual(['updated integration webhook']);
    const generated = await stored('webhook');
    expect(generated.secret).toMatch(/^whsec_/);
    expect(generated.secret).not.toBe(secret);
    expect(generated).not.toHaveProperty('previous_secret');
  });

  it('reset omitted fields to their defaults', async () => {
    await apply(filled(DOCUMENT));
    await apply(
      'kind: watcher\nname: api ERRORS\nchips: [job:api]\n---\nkind: integration\nservice: chat\nthreads: false',
    );
    expect((await watchers())[0]).toMatchObject({
      name: 'api ERRORS',
      alert: false,
      min_severity: 0,
      alert_budget_per_week: null,
      pagerduty: false,
      summary_report_frequency: null,
    });
    expect(await stored('chat')).toEqual({ threads: false });
    const pruned = await apply('kind: integration\nservice: webhook\nurl: https://example.org/hook', { prune: true });
    expect(actionsOf(pruned)).toEqual([
      'updated integration webhook',
      'removed integration chat',
      'removed integration pagerduty',
      'removed integration alertmanager',
    ]);
    expect(await stored('pagerduty')).toEqual({});
  });

  it('change nothing in a dry run, even if a watcher depends on an integration of the document', async () => {
    const before = await entries();
    const dry = await apply(filled(DOCUMENT), { dry_run: true });
    expect(dry.data).toMatchObject({ applied: false });
    expect(diffs(dry)['Queue is long']).toBe(
      [
        'type: "threshold"',
        'name: "Queue is long"',
        'chips: ["queue"]',
        'algorithm: "above"',
        'value: 1000',
        'times_in_a_row: 3',
        'function: "none"',
        'alert: true',
        'pagerduty: false',
        'alertmanager: false',
        'webhook: true',
        'expiration_time: 3600',
        'expiration_time_unit: "second"',
      ].join('\n'),
    );
    expect([await watchers(), await stored('webhook'), await entries()]).toEqual([[], {}, before]);
  });

  it('consume no ids in a dry run that creates, changes and removes objects', async () => {
    const counters = async (): Promise<object[]> =>
      app.database.dataSource.query('SELECT sequencename AS name, last_value AS value FROM pg_sequences ORDER BY 1');
    await apply('kind: watcher\nname: old\nchips: [a]\n---\nkind: exclusion\ntype: alerting\nchips: [old]');
    await apply('kind: tuning\nname: old\nchips: [a]');
    await app.events(orgId);
    const before = await counters();
    const others = `
- kind: tuning
  name: new
  chips: [a]
- kind: tuning
  name: old
  chips: [b]
- kind: exclusion
  type: alerting
  chips: [new]
- kind: admin_alert
  code: no_data
  wait_seconds: 600
  email_users: [ann@example.org]
`;
    const dry = await apply(`${filled(DOCUMENT)}\n---${others}`, { dry_run: true, prune: true });
    expect(actionsOf(dry).map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual(
      expect.arrayContaining([
        'created watcher',
        'removed watcher',
        'created tuning',
        'updated tuning',
        'created exclusion',
        'removed exclusion',
        'created integration',
        'updated admin_alert',
      ]),
    );
    expect(await counters()).toEqual(before);
  });

  it('change nothing if one object is invalid', async () => {
    const before = await entries();
    const wrong = filled(DOCUMENT).replace('sms_users: [ann@example.org]', 'sms_users: [bob@example.org]');
    const answer = await apply(wrong);
    expect([answer.status, problems(answer)]).toEqual([400, ['line 14: sms_users: there is no user bob@example.org']]);
    expect([await watchers(), await stored('webhook'), await entries()]).toEqual([[], {}, before]);
  });

  it.each([
    ['kind: watcher', 'line 1: chips is required'],
    ['- kind: watcher\n- kind: tuning', 'line 1: chips is required'],
    ['kind: watcher\ntype: threshold', 'line 1: chips is required'],
    ['kind: watcher\nname: [a]\nchips: 5', 'line 2: name must be a string'],
    ['kind: exclusion', 'line 1: chips is required'],
    ['kind: tuning', 'line 1: chips is required'],
    ['kind: integration', 'line 1: service is required'],
    ['kind: admin_alert', 'line 1: code is required'],
    ['kind: watcher\nname: x', 'line 1: chips is required'],
    ['kind: watcher\nname: x\nchips: [a]\ntest_alert: true', 'line 4: test_alert is not a parameter of this call'],
    ['kind: watcher\nchips: [a]\nvalue: 5', 'line 3: value is not a parameter of this call'],
    ['kind: watcher\ntype: anything\nchips: [a]', 'line 2: type must be one of anomaly, threshold'],
    [
      'kind: watcher\ntype: threshold\nchips: [a]\nalgorithm: above',
      'line 1: value is required by the algorithm above',
    ],
    ['kind: watcher\nchips: [a]\nsummary_report_frequency: hourly', 'line 3: summary_report_frequency must look like'],
    [
      'kind: watcher\nchips: [a]\nemail_users: [bob]',
      'line 3: email_users must be an e-mail address, got "bob" (item 1)',
    ],
    ['kind: watcher\nchips: [a]\n\npagerduty: true', 'line 4: pagerduty needs the integration pagerduty'],
    ['kind: watcher\nchips: [a]\n---\nkind: watcher\nchips: [A]', 'line 4: this is described on line 1 already'],
    ['kind: integration\nurl: https://example.org', 'line 1: service is required: one of email, chat, teams_chat'],
    ['kind: integration\nservice: pigeon', 'line 2: service must be one of email, chat, teams_chat'],
    ['kind: integration\nservice: sms\nurl: https://example.org', 'line 3: url is not a parameter of this call'],
    ['kind: integration\nservice: webhook\nurl: not an address', 'line 3: url must be a web address'],
    ['kind: integration\nservice: email\nsmtp_host: mail.example.org', 'line 1: from_address is required with'],
    ['kind: integration\nservice: webhook\nsecret: short', 'line 3: secret must be whsec_'],
  ])('report the line of the problem in %j', async (document, wanted) => {
    const answer = await apply(document);
    expect(answer.status).toBe(400);
    expect(problems(answer)[0]).toContain(wanted);
  });

  it('do not change the type of a watcher', async () => {
    await apply('kind: watcher\nname: x\nchips: [a]');
    const { status, data } = await apply(
      '- kind: watcher\n  type: threshold\n  name: x\n  chips: [a]\n  algorithm: no_data\n  value: 600',
    );
    expect([status, data.error.code, data.message]).toEqual([
      409,
      'wrong_type',
      'line 1: The watcher "x" exists with a type other than threshold; remove it, or choose another name.',
    ]);
  });

  it('name recipients of admin alerts by address, too', async () => {
    const document = 'kind: admin_alert\ncode: no_data\nemail_users:\n  - ann@example.org\n';
    await apply(document);
    expect(await exported()).toContain('code: no_data\nenabled: true\nemail_users:\n  - ann@example.org\n');
    expect(actionsOf(await apply(document))).toEqual(['unchanged admin_alert no_data']);
  });

  it('keep a recipient whose account was disabled later', async () => {
    await apply(filled(DOCUMENT));
    await app.database.dataSource.query(`UPDATE user_account SET state = 'disabled' WHERE email = 'ann@example.org'`);
    const answer = await apply((await exported()).replace('min_severity: 50', 'min_severity: 70'));
    expect(answer.data.error).toBeUndefined();
    expect(diffs(answer)['API errors']).toBe('min_severity: 50 -> 70');
  });
});
