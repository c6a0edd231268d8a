import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;
let orgId: number;

beforeAll(async () => {
  installation = await Installation.create();
  orgId = await installation.anOrg('Example Ltd');
});
afterAll(() => installation.close());
beforeEach(() => installation.query('DELETE FROM alert'));

/** Inserts a message that was given up after 5 tries; returns its id. */
async function givenUp(recipient: string, org = orgId, state = 'failed'): Promise<number> {
  const [alert] = await installation.query<{ id: number }>(
    `INSERT INTO alert (org_id, key, kind, state, content, created_at, updated_at)
     VALUES ($1, $2, 'anomaly', 'open', '{"title": "Major: cpu"}', now(), now()) RETURNING id`,
    [org, `key ${recipient}`],
  );
  const [delivery] = await installation.query<{ id: number }>(
    `INSERT INTO alert_delivery (org_id, alert_id, message_id, life, phase, sequence, channel, recipient, mentions, lane,
            state, content, message, tries, give_up_at, created_at, settled_at)
     VALUES ($1, $2, gen_random_uuid(), 1, 'opened', 1, 'email', $3, '{}', $4, $5, '{"title": "Major: cpu"}',
             'the server does not answer', 5, now() - interval '1 day', now() - interval '2 days', now()) RETURNING id`,
    [org, alert!.id, recipient, `${String(org)}/email/`, state],
  );
  return delivery!.id;
}

const stateOf = async (id: number): Promise<unknown> =>
  (
    await installation.query(
      `SELECT state, tries, message, settled_at, due_at <= now() AS "isReady", give_up_at > now() AS "hasTime"
       FROM alert_delivery WHERE id = $1`,
      [id],
    )
  )[0];

describe('plumbline alerts', () => {
  it('lists the messages given up, of one organisation or of all', async () => {
    const other = await installation.anOrg('Other Ltd');
    const mine = await givenUp('ann@example.org');
    const theirs = await givenUp('bob@example.org', other);
    await givenUp('cid@example.org', orgId, 'sent');
    const { out } = await installation.done(['alerts', 'failed']);
    expect(out).toMatch(/^Id +Organisation +Given up +Channel +To +Tries +Message +Reason$/m);
    expect(out).toMatch(
      new RegExp(`^${mine} .* email +ann@example.org +5 +Major: cpu +the server does not answer$`, 'm'),
    );
    expect(out).toContain('bob@example.org');
    expect(out).not.toContain('cid@example.org');
    const json = await installation.done(['alerts', 'failed', '--org', 'Other Ltd', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      total: 1,
      messages: [{ id: theirs, org_id: other, attempts: 5, reason: 'the server does not answer' }],
    });
  });

  it('resends a message with its tries reset, and records that in the audit trail', async () => {
    const [one, other] = [await givenUp('ann@example.org'), await givenUp('bob@example.org')];
    const { out } = await installation.done(['alerts', 'resend', String(one)]);
    expect(out).toBe('1 message queued again.\n');
    expect(await stateOf(one)).toEqual({
      state: 'queued',
      tries: 0,
      message: '',
      settled_at: null,
      isReady: true,
      hasTime: true,
    });
    expect(await stateOf(other)).toMatchObject({ state: 'failed', tries: 5 });
    expect((await installation.audit(orgId)).at(-1)).toMatchObject({
      action: 'alert.resend',
      actorType: 'operator',
      objectId: String(one),
      objectName: 'email: Major: cpu',
    });
  });

  it('drops all messages of an organisation', async () => {
    const ids = [await givenUp('ann@example.org'), await givenUp('bob@example.org')];
    expect((await installation.done(['alerts', 'drop', '--all', '--org', 'Example Ltd'])).out).toBe(
      '2 messages dropped.\n',
    );
    expect(await Promise.all(ids.map(stateOf))).toEqual([undefined, undefined]);
    expect((await installation.done(['alerts', 'failed'])).err).toBe('There are no undelivered messages.\n');
  });

  it('requires ids or --all, and names ids of messages that were not given up', async () => {
    const sent = await givenUp('ann@example.org', orgId, 'sent');
    expect(await installation.run(['alerts', 'drop'])).toMatchObject({ code: 2 });
    expect(await installation.run(['alerts', 'resend', '1', '--all'])).toMatchObject({ code: 2 });
    const { code, err } = await installation.run(['alerts', 'resend', String(sent)]);
    expect(code).toBe(2);
    expect(err).toContain(`not among the undelivered messages: ${sent}`);
    expect(await stateOf(sent)).toMatchObject({ state: 'sent' });
  });
});
