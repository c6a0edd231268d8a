import { aRequest } from '../../../../../test/support/requests.js';
import { authenticateBy } from '../../common/auth/strategies/credential.strategy.js';
import { SsoRefusedError } from './sso.errors.js';
import { type SingleSignOnService } from './single-sign-on.service.js';
import { SsoStrategy } from './sso.strategy.js';
import { type SsoArrival } from './sso.types.js';

const BROWSER = 'b'.repeat(43);
const ARRIVAL = { person: { issuer: 'https://id.example.org', subject: 'ann-1' }, returnTo: '/' } as SsoArrival;

describe('the strategy of single sign-on', () => {
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

  it('asks with the query as it was sent, the checked state and the secret of the browser', async () => {
    answer = ARRIVAL;
    expect(await back()).toEqual([ARRIVAL, undefined]);
    expect(asked).toEqual([['code=a%20b&state=s1&iss=x', 's1', BROWSER]]);
  });

  it.each([
    ['no cookie', {}],
    ['a cookie of another form', { Cookie: 'sso_browser=short' }],
  ])('knows no browser by %s', async (_name, headers) => {
    answer = null;
    expect(await back(headers)).toEqual([false, undefined]);
    expect(asked[0]![2]).toBeUndefined();
  });

  it('passes on why the provider did not let in', async () => {
    answer = new SsoRefusedError('The provider refused the login (access_denied).');
    await expect(back()).rejects.toBe(answer);
  });
});
