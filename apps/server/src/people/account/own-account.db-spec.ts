import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { parameterOf, People, type Person } from '../../../../../test/support/people.js';

let mailbox: Mailbox;
let identity: IdentityApp;
let people: People;
let orgId: number;
let ben: Person;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  identity = await IdentityApp.create({
    env: { ...mailbox.env, LOGIN_CODE: 'off', PLUMBLINE_LIMIT_RESET_ADDRESS: '1000' },
  });
  people = new People(identity);
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
});
beforeEach(async () => {
  orgId = (await identity.anOrg()).id;
  ben = await people.member(orgId);
});

const update = (body: object, by = ben): ReturnType<People['call']> => people.call('put', '/user', by.session, body);
const confirm = (token: string): ReturnType<People['call']> =>
  people.call('post', '/user/confirmemail', undefined, { token });

describe('PUT /user', () => {
  it('changes the given fields, and clears those that are empty', async () => {
    const fields = { name: 'Benjamin', phone_number: '+4799999999', chat_member_id: 'U012AB3CD' };
    expect((await update({ ...fields, email_alerts: true })).data).toMatchObject({
      user: { ...fields, notifications: { email_alerts: true }, email: ben.user.email },
      email_pending: null,
    });
    expect((await update({ phone_number: '', chat_member_id: null, name: '' })).data.user).toMatchObject({
      name: '',
      phone_number: '',
      chat_member_id: null,
      notifications: { email_alerts: true },
    });
    expect((await people.events(orgId)).map(([type]) => type)).toEqual(['user_changed', 'user_changed']);
  });

  it('is also available as POST /user/update, which links to its successor', async () => {
    const answer = await people.call('post', '/user/update', ben.session, { name: 'B' });
    expect(answer.data.user.name).toBe('B');
    expect(answer.headers.link).toBe('<https://plumbline.example.org/api/user>; rel="successor-version"');
  });

  it.each([
    [{ phone_number: '99999999' }, [['phone_number', 'bad_format']]],
    [{ phone_number: '+99912345678' }, [['phone_number', 'bad_format']]],
    [{ email: '' }, [['email', 'required']]],
    [{ email: 'nobody' }, [['email', 'bad_format']]],
    [{ email: 'other@example.org' }, [['password', 'required']]],
    [
      { email: 'other@example.org', phone_number: 'x' },
      [
        ['phone_number', 'bad_format'],
        ['password', 'required'],
      ],
    ],
    [{ admin: true }, [['admin', 'unknown_parameter']]],
    [{ onboarding_flag_alert_created: true }, [['onboarding_flag_alert_created', 'read_only']]],
    [{ onboarding_flags: { pattern_trained: false } }, [['onboarding_flags.pattern_trained', 'read_only']]],
    [{ onboarding_flags: { nonsense: true } }, [['onboarding_flags.nonsense', 'unknown_parameter']]],
    [
      { onboarding_flags: { main_intro: true }, onboarding_flag_main_intro: false },
      [['onboarding_flag_main_intro', 'duplicate_parameter']],
    ],
  ])('rejects %j', async (body, fields) => {
    const answer = await update(body);
    expect(answer.fields).toEqual(fields);
    expect(answer.status).toBe(400);
  });

  it('rejects a password in the address', async () => {
    const answer = await people.call('put', `/user?password=${PASSWORD.replaceAll(' ', '+')}`, ben.session, {});
    expect(answer.fields).toEqual([['password', 'body_only']]);
  });

  it('sets and clears flags, and returns the new values', async () => {
    const first = await identity
      .http()
      .put('/api/user')
      .set('X-Session-Id', ben.session)
      .type('form')
      .send({ 'onboarding_flags.main_intro': 'true', onboarding_flag_seen_card_all: '1' });
    expect(first.body.status.user_onboarding_flags).toMatchObject({ main_intro: true, seen_card_all: true });
    expect(first.body.data.user.onboarding_flags).toMatchObject({ main_intro: true, alerts_intro: false });
    const second = await update({ onboarding_flags: { main_intro: false, training_intro: true } });
    expect(second.data.user.onboarding_flags).toMatchObject({ main_intro: false, training_intro: true });
    expect(await people.events(orgId)).toEqual([]);
  });

  it('accepts only flags from a demo user', async () => {
    const visitor = await people.visitor(orgId);
    expect((await update({ onboarding_flag_main_intro: true }, visitor)).data.user.onboarding_flags.main_intro).toBe(
      true,
    );
    const answer = await update({ onboarding_flag_main_intro: false, name: 'me' }, visitor);
    expect([answer.status, answer.code]).toEqual([403, 'demo_account']);
  });
});

describe('a new e-mail address', () => {
  let address: string;
  beforeEach(() => {
    address = `new${String(ben.user.id)}@example.org`;
  });

  it('is used after its confirmation, and the old address is notified', async () => {
    expect((await update({ email: address, password: 'something else' })).code).toBe('login_failed');
    const answer = await update({ email: address, password: PASSWORD });
    expect(answer.data).toMatchObject({ email_pending: address, user: { email: ben.user.email } });
    expect((await mailbox.next(ben.user.email!)).subject).toBe('Your e-mail address is about to change');
    const token = parameterOf((await mailbox.next(address)).text, 'token');
    expect((await people.call('get', '/user/info', ben.session)).data.user.email).toBe(ben.user.email);

    expect((await confirm(token)).data).toMatchObject({ user: { id: ben.user.id, email: address }, message: 'OK' });
    expect((await people.call('get', '/user/info', ben.session)).data.user.email).toBe(address);
    expect((await confirm(token)).code).toBe('expired');
    expect((await confirm('0'.repeat(32))).code).toBe('verification_failed');
    expect(await people.audit(orgId)).toEqual([
      ['user.email_change', 'Ben', 'Ben', [{ field: 'email', before: ben.user.email, after: address }]],
    ]);
  });

  it('is confirmed only by the newest link, within a day', async () => {
    await update({ email: address, password: PASSWORD });
    const first = parameterOf((await mailbox.next(address)).text, 'token');
    await update({ email: address, password: PASSWORD });
    const second = parameterOf((await mailbox.next(address)).text, 'token');
    expect((await confirm(first)).code).toBe('expired');
    const before = identity.clock.seconds;
    identity.clock.seconds += 86_400;
    expect((await confirm(second)).code).toBe('expired');
    identity.clock.seconds = before;
  });

  it('must be free at the request and at the confirmation', async () => {
    const cid = await people.member((await identity.anOrg()).id);
    expect((await update({ email: cid.user.email, password: PASSWORD })).code).toBe('email_taken');
    await update({ email: address, password: PASSWORD });
    const token = parameterOf((await mailbox.next(address)).text, 'token');
    const rival = await identity.aUser(orgId, { email: address });
    expect((await confirm(token)).code).toBe('email_taken');
    await identity.database.dataSource.query('DELETE FROM user_account WHERE id = $1', [rival.id]);
    // The failed confirmation has not used up the link.
    expect((await confirm(token)).status).toBe(200);
  });

  it('that differs only in case is used immediately', async () => {
    const shouted = ben.user.email!.toUpperCase();
    const answer = await update({ email: shouted, password: PASSWORD });
    expect(answer.data).toMatchObject({ email_pending: null, user: { email: shouted } });
  });

  it('is used immediately without a mail server', async () => {
    const silent = await IdentityApp.create({ database: identity.database });
    const answer = await silent
      .http()
      .put('/api/user')
      .set('X-Session-Id', ben.session)
      .send({ email: address, password: PASSWORD });
    expect(answer.body.data).toMatchObject({ email_pending: null, user: { email: address } });
    await silent.close();
  });
});
