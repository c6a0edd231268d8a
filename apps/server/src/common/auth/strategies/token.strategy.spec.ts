import { aRequest } from '../../../../../../test/support/requests.js';
import { CredentialDirectory, type TokenCaller } from '../caller.js';
import { authenticateBy } from './credential.strategy.js';
import { TokenStrategy } from './token.strategy.js';

const CALLER = { kind: 'token', permissions: 1, tokenRef: 3 } as TokenCaller;
const FOUND = [CALLER, { isSigned: false }];

class Tokens extends CredentialDirectory {
  asked: string[] = [];

  async findToken(token: string) {
    this.asked.push(token);
    if (token === 'pl_expired') return 'expired';
    return token === 'pl_good' ? CALLER : 'unknown';
  }

  findSession(): never {
    throw new Error('not asked for');
  }

  findOrg(): never {
    throw new Error('not asked for');
  }
}

describe('the token strategy', () => {
  let directory: Tokens;
  let strategy: TokenStrategy;
  beforeEach(() => {
    directory = new Tokens();
    strategy = new TokenStrategy(directory);
  });
  afterEach(() => strategy.onApplicationShutdown());

  const header = (token: string) => aRequest({ headers: { 'X-Auth-Token': token } });
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  it.each([
    ['X-Auth-Token', header('pl_good')],
    ['Authorization', aRequest({ headers: { Authorization: 'Bearer pl_good' } })],
    ['the body', aRequest({ method: 'POST', headers: JSON_TYPE, body: { data: { token: 'pl_good' } } })],
  ])('finds the organisation of a token in %s', async (_place, request) => {
    expect(await authenticateBy(strategy, request)).toEqual(FOUND);
  });

  it('prefers the token that the route provides to the one in the header', async () => {
    expect(await authenticateBy(strategy, header('pl_other'), { token: 'pl_good' })).toEqual(FOUND);
    expect(directory.asked).toEqual(['pl_good']);
  });

  it.each([
    ['no token', aRequest()],
    ['a token that is too long', header('x'.repeat(201))],
    ['a token in the address', aRequest({ url: '/?token=pl_good' })],
    ['a session', aRequest({ headers: { 'X-Session-Id': 'a'.repeat(32) } })],
  ])('fails without a look-up for %s', async (_name, request) => {
    expect(await authenticateBy(strategy, request)).toEqual([false, undefined]);
    expect(directory.asked).toEqual([]);
  });

  it.each([
    ['pl_expired', 'token_expired'],
    ['pl_nobody', undefined],
  ])('fails for %s: %s', async (token, fault) => {
    expect(await authenticateBy(strategy, header(token))).toEqual([false, fault]);
  });

  it('checks a token without a request by the same rules', async () => {
    expect(await strategy.check('pl_good')).toEqual(FOUND);
    expect(await strategy.check('pl_expired')).toEqual([false, 'token_expired']);
    expect(await strategy.check('x'.repeat(201))).toEqual([false]);
    expect(directory.asked).toEqual(['pl_good', 'pl_expired']);
  });
});
