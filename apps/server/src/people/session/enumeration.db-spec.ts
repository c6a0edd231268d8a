import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { currentRequest } from '../../common/http/request-context.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { PasswordService } from '../user/password.service.js';
import { AfterAnswerService } from './login-limiter.js';

/** The work behind an answer. It is counted instead of timed, because measured times are noisy. */
interface Work {
  queries: string[];
  hashes: number;
  counts: string[];
}

let mailbox: Mailbox;
let identity: IdentityApp;
let work: Work;
const held: (() => void)[] = [];
let addresses: Record<'known' | 'unknown' | 'disabled' | 'invited' | 'malformed', string>;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  identity = await IdentityApp.create({ env: { TRUSTED_PROXIES: 'loopback', ...mailbox.env } });
  const orgId = (await identity.anOrg()).id;
  const disabled = await identity.aUser(orgId);
  await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [disabled.id]);
  addresses = {
    known: (await identity.aUser(orgId)).email!,
    unknown: 'nobody@example.org',
    disabled: disabled.email!,
    invited: (await identity.aUser(orgId, { password: undefined })).email!,
    malformed: 'no address at all',
  };
  const { logger } = identity.get(DataSource);
  jest.spyOn(logger, 'logQuery').mockImplementation((sql: string) => {
    // Without queries outside of requests, and without those of mails that earlier requests have queued.
    if (currentRequest.getStore() !== undefined && !sql.includes('mail_outbox')) work.queries.push(sql);
  });
  // Work after the answer does not delay it, so it is held back until the answer has arrived.
  const after = identity.get(AfterAnswerService);
  const run = after.schedule.bind(after);
  jest.spyOn(after, 'schedule').mockImplementation((...given) => void held.push(() => run(...given)));
  const passwords = identity.get(PasswordService);
  const verify = passwords.verify.bind(passwords);
  jest.spyOn(passwords, 'verify').mockImplementation((...given) => {
    work.hashes++;
    return verify(...given);
  });
  const limits = identity.get(RateLimits);
  const [begin, consume] = [limits.begin.bind(limits), limits.consume.bind(limits)];
  jest.spyOn(limits, 'begin').mockImplementation((limit, key) => {
    work.counts.push(`begin ${limit.name}`);
    return begin(limit, key);
  });
  jest.spyOn(limits, 'consume').mockImplementation((limit, key, points) => {
    work.counts.push(`consume ${limit.name}`);
    return consume(limit, key, points);
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await identity.close();
  await mailbox.close();
});

let address = 0;

/** The answer to a request for each kind of account, without values that differ in every answer, and its work. */
async function asked(path: string, bodyFor: (email: string) => object) {
  const found: Record<string, { answer: string; work: Work }> = {};
  for (const [kind, email] of Object.entries(addresses)) {
    work = { queries: [], hashes: 0, counts: [] };
    const own = work;
    const response = await identity
      .http()
      .post(`/api${path}`)
      .set('X-Forwarded-For', `192.0.2.${String(++address)}`)
      .set('X-Request-Id', 'the-same')
      .send(bodyFor(email));
    work = { queries: [], hashes: 0, counts: [] };
    for (const release of held.splice(0)) release();
    await identity.get(AfterAnswerService).settled();
    const { date: _, ...headers } = response.headers as Record<string, string>;
    const text = response.text
      .replace(/"session_id":"[0-9a-f]{32}"/, '"session_id":"…"')
      .replace(/"duration":[\d.]+/, '"duration":0');
    headers['content-length'] = String(text.length);
    found[kind] = { answer: JSON.stringify({ status: response.status, headers, text }), work: own };
  }
  return found;
}

describe('answers for known and unknown accounts', () => {
  it('are identical and need the same work for a wrong password at POST /login', async () => {
    const { known, ...others } = await asked('/login', (email) => ({ email, password: 'a wrong password' }));
    expect(known!.work.hashes).toBe(1);
    expect(known!.work.queries.length).toBeGreaterThan(0);
    expect(known!.answer).toContain('login_failed');
    for (const [kind, other] of Object.entries(others)) expect({ kind, ...other }).toEqual({ kind, ...known });
  });

  it('are identical for the right password of users who cannot log in, at POST /login', async () => {
    const { unknown, disabled, invited } = await asked('/login', (email) => ({ email, password: PASSWORD }));
    expect(unknown!.answer).toContain('login_failed');
    expect(disabled).toEqual(unknown);
    expect(invited).toEqual(unknown);
  });

  it('need the same work for the failure at POST /login that locks the account', async () => {
    await identity.database.dataSource.query('TRUNCATE attempt_count');
    for (let i = 0; i < 9; i++) await asked('/login', (email) => ({ email, password: 'a wrong password' }));
    const locking = await asked('/login', (email) => ({ email, password: 'a wrong password' }));
    const refused = await asked('/login', (email) => ({ email, password: 'a wrong password' }));
    for (const kind of ['unknown', 'disabled', 'invited'] as const) {
      expect(JSON.parse(refused[kind]!.answer)).toMatchObject({ status: 429 });
      expect(locking[kind]!.work).toEqual(locking.known!.work);
      expect(refused[kind]!.work).toEqual(refused.known!.work);
    }
    const entries: { count: string }[] = await identity.database.dataSource.query(
      "SELECT object_name, count(*) FROM audit_entry WHERE action = 'login.locked' GROUP BY 1 ORDER BY 1",
    );
    expect(entries).toEqual(
      [addresses.disabled, addresses.invited, addresses.known]
        .sort()
        .map((email) => ({ object_name: email, count: '1' })),
    );
  });

  it('are identical and need the same work at POST /login/forgotpassword', async () => {
    const { known, ...others } = await asked('/login/forgotpassword', (email) => ({ email }));
    expect(JSON.parse(known!.answer)).toMatchObject({ status: 200 });
    for (const [kind, other] of Object.entries(others)) expect({ kind, ...other }).toEqual({ kind, ...known });
  });
});
