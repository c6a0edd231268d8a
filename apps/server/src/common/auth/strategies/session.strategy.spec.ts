import { aRequest } from '../../../../../../test/support/requests.js';
import { CredentialDirectory, type UserCaller } from '../caller.js';
import { authenticateBy } from './credential.strategy.js';
import { SessionStrategy } from './session.strategy.js';

const [ANN, BEA, ENDED, UNKNOWN] = ['a', 'b', 'e', 'f'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
];

const aUser = (sessionId: string) => ({ kind: 'user', sessionId }) as UserCaller;

class Sessions extends CredentialDirectory {
  asked: string[] = [];
  /** When set, look-ups of ANN wait for this promise. */
  hold: Promise<void> | undefined;
  failure: Error | undefined;

  async findSession(sessionId: string) {
    this.asked.push(sessionId);
    if (sessionId === ANN) await this.hold;
    if (this.failure) throw this.failure;
    if (sessionId === ENDED) return 'ended';
    return sessionId === UNKNOWN ? 'unknown' : aUser(sessionId);
  }

  findToken(): never {
    throw new Error('not asked for');
  }

  findOrg(): never {
    throw new Error('not asked for');
  }
}

describe('the session strategy', () => {
  let directory: Sessions;
  let strategy: SessionStrategy;
  beforeEach(() => {
    directory = new Sessions();
    strategy = new SessionStrategy(directory);
  });
  afterEach(() => strategy.onApplicationShutdown());

  const header = (id: string) => aRequest({ headers: { 'X-Session-Id': id } });

  it.each([
    ['header', header(ANN)],
    ['parameter', aRequest({ url: `/?session_id=${ANN}` })],
    ['parameter', aRequest({ method: 'POST', body: { session_id: ANN } })],
    ['cookie', aRequest({ headers: { Cookie: `session_id=${ANN}` } })],
  ])('finds the user of a session in the %s', async (sessionSource, request) => {
    expect(await authenticateBy(strategy, request)).toEqual([aUser(ANN), { sessionSource, isSigned: false }]);
  });

  it('looks up only the first id', async () => {
    const headers = { 'X-Session-Id': UNKNOWN, Cookie: `session_id=${ANN}` };
    expect(await authenticateBy(strategy, aRequest({ url: `/?session_id=${BEA}`, headers }))).toEqual([
      false,
      undefined,
    ]);
    expect(directory.asked).toEqual([UNKNOWN]);
  });

  it.each([
    ['no id', aRequest()],
    ['a malformed id', header('A'.repeat(32))],
    ['a token', aRequest({ headers: { 'X-Auth-Token': 'pl_read' } })],
  ])('fails without a look-up for %s', async (_name, request) => {
    expect(await authenticateBy(strategy, request)).toEqual([false, undefined]);
    expect(directory.asked).toEqual([]);
  });

  it('reports session_expired for an ended session', async () => {
    expect(await authenticateBy(strategy, header(ENDED))).toEqual([false, 'session_expired']);
  });

  it('rejects when the look-up of the session fails', async () => {
    directory.failure = new Error('the database is away');
    await expect(authenticateBy(strategy, header(ANN))).rejects.toThrow('the database is away');
  });

  it('keeps concurrent requests apart', async () => {
    let release = (): void => undefined;
    directory.hold = new Promise((resolve) => (release = resolve));
    const first = authenticateBy(strategy, header(ANN));
    expect((await authenticateBy(strategy, header(BEA)))[0]).toEqual(aUser(BEA));
    release();
    expect((await first)[0]).toEqual(aUser(ANN));
  });

  it('queries the directory of its own application', async () => {
    const other = new SessionStrategy(new Sessions());
    await authenticateBy(strategy, header(ANN));
    expect(directory.asked).toEqual([ANN]);
    other.onApplicationShutdown();
  });

  it('is unregistered when its application shuts down', async () => {
    strategy.onApplicationShutdown();
    await expect(authenticateBy(strategy, header(ANN))).rejects.toThrow('Unknown authentication strategy');
    expect(directory.asked).toEqual([]);
  });
});
