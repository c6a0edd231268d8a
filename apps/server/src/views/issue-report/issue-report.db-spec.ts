import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';

const OPERATOR = 'operator@example.org';

describe('POST /user/reportissue', () => {
  let mailbox: Mailbox;
  let app: IdentityApp;
  let session: string;
  let userId: number;
  beforeAll(async () => {
    mailbox = await Mailbox.start();
    app = await IdentityApp.create({ env: { ...mailbox.env, OPERATOR_EMAIL: OPERATOR } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    const org = await app.anOrg({ name: 'Fjord <Kraft>' });
    userId = (await app.aUser(org.id, { name: 'Ann' })).id;
    session = await app.aSession(userId);
  });

  const report = (body: object) => app.http().post('/api/user/reportissue').set('X-Session-Id', session).send(body);

  it('stores the report, records an event and mails the report to the operator', async () => {
    const message = 'The chart is empty.\n<script>alert(1)</script>';
    const context = { version: '1.2', zero: '\u0000', nested: { list: [1, null] } };
    const answer = await report({ message, url: 'https://plumbline.example.org/metric/a', context }).expect(200);
    const { issue_id: id } = answer.body.data;
    expect(answer.body.data).toEqual({ issue_id: expect.any(Number) as number, message: 'OK' });

    const [row] = await app.database.dataSource.query('SELECT * FROM issue_report WHERE id = $1', [id]);
    expect(row).toMatchObject({
      user_id: userId,
      message,
      url: 'https://plumbline.example.org/metric/a',
      reported_at: new Date((START + 0.25) * 1000),
    });
    expect(JSON.parse(row.context as string)).toEqual(context);

    await app.get(EventRecorderService).flush();
    const events = await app.http().get('/api/org/events').set('X-Session-Id', session).expect(200);
    expect(events.body.data.events).toMatchObject([
      { type: 'issue_reported', user_id: userId, user_display_name: 'Ann', ref: { kind: 'issue', id: String(id) } },
    ]);

    const mail = await mailbox.next(OPERATOR);
    expect(mail.subject).toBe(`Issue ${String(id)} from Fjord <Kraft>`);
    expect(mail.text).toContain(message);
    expect(mail.text).toContain('Page: https://plumbline.example.org/metric/a');
    expect(mail.text).toContain('"version":"1.2"');
    expect(mail.html).not.toContain('<script>');
  });

  it('accepts a message without context, and a form', async () => {
    const form = app.http().post('/api/user/reportissue').set('X-Session-Id', session).type('form');
    await form.send({ message: 'Help', 'context.page': 'start' }).expect(200);
    await report({ message: 'Help' }).expect(200);
    const mails = [await mailbox.next(OPERATOR), await mailbox.next(OPERATOR)];
    expect(mails.map(({ text }) => text!.includes('"page":"start"')).sort()).toEqual([false, true]);
  });

  it.each([
    [{}, 'message', 'required'],
    [{ message: 'x'.repeat(5001) }, 'message', 'too_long'],
    [{ message: 'x', url: 'x'.repeat(2001) }, 'url', 'too_long'],
    [{ message: 'x', context: [] }, 'context', 'not_object'],
    [{ message: 'x', context: { a: 'x'.repeat(10_240) } }, 'context', 'too_long'],
  ])('rejects invalid input: %#', async (body, field, code) => {
    const answer = await report(body).expect(400);
    expect(answer.body.data.error.details).toMatchObject([{ field, code }]);
  });

  it('mails at most twenty reports per hour and organisation, and stores all', async () => {
    const before = mailbox.all.length;
    for (let index = 0; index < 21; index++) await report({ message: `Report ${String(index)}` }).expect(200);
    for (let index = 0; index < 20; index++) await mailbox.next(OPERATOR);
    expect(mailbox.all.length - before).toBe(20);
    const [{ count }] = await app.database.dataSource.query(
      'SELECT count(*)::integer AS count FROM issue_report WHERE user_id = $1',
      [userId],
    );
    expect(count).toBe(21);
  });

  it('requires a session', async () => {
    const token = await app.aToken((await app.anOrg()).id, 1);
    const answer = await app.http().post('/api/user/reportissue').set('X-Auth-Token', token).send({ message: 'x' });
    expect(answer.status).toBe(403);
    expect(answer.body.data.error.code).toBe('session_required');
  });
});
