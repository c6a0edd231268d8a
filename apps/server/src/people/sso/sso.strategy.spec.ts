import { aRequest } from '../../../../../test/support/requests.js';
import { authenticateBy } from '../../common/auth/strategies/credential.strategy.js';
import { SsoRefusedError } from './sso.errors.js';
import { type SingleSignOnService } from './single-sign-on.service.js';
import { SsoStrategy } from './sso.strategy.js';
import { type SsoArrival } from './sso.types.js';

const BROWSER = 'b'.repeat(43);
const ARRIVAL = { person: { issuer: 'https://id.example.org', subject: 'ann-1' }, returnTo: '/' } as SsoArrival;

describe('SsoStrategy', () => {
  const asked: unknown[][] = [];
  let answer: SsoArrival | null | Error;
  const identify: SingleSignOnService['identify'] = async (...given) => {
    asked.push(given);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const strategy = new SsoStrategy({ identify } as SingleSignOnService);
  beforeEach(() => (asked.length = 0));
  afterAll(() => strategy.onApplicationShutdown());

  const back = (headers: Record<string, string> = { Cookie: `sso_browser=${BROWSER}` }) =>
    authenticateBy(strategy, aRequest({ url: '/api/login/sso/callback?code=a%20b&state=s1&iss=x', headers }), {
      state: 's1',
    });

  it('passes on the unchanged query, the checked state and the secret of the browser', async () => {
    answer = ARRIVAL;
    expect(await back()).toEqual([ARRIVAL, undefined]);
    expect(asked).toEqual([['code=a%20b&state=s1&iss=x', 's1', BROWSER]]);
  });

  it.each([
    ['no cookie', {}],
    ['a malformed cookie', { Cookie: 'sso_browser=short' }],
  ])('passes on no browser secret with %s', async (_name, headers) => {
    answer = null;
    expect(await back(headers)).toEqual([false, undefined]);
    expect(asked[0]![2]).toBeUndefined();
  });

  it('throws the error with which the provider denied the login', async () => {
    answer = new SsoRefusedError('The provider refused the login (access_denied).');
    await expect(back()).rejects.toBe(answer);
  });
});
