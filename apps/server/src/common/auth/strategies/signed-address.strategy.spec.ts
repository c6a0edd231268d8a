import { Permission } from '#libs/contracts';
import { HandClock } from '../../../../../../test/support/hand-clock.js';
import { aRequest } from '../../../../../../test/support/requests.js';
import { SecretKey } from '../../secrets/secret-key.js';
import { Secrets } from '../../secrets/secrets.js';
import { CredentialDirectory, type CallerOrg } from '../caller.js';
import { SignatureInvalidError, SignedUrlExpiredError, UrlSignature } from '../url-signature.js';
import { authenticateBy } from './credential.strategy.js';
import { SignedAddressStrategy } from './signed-address.strategy.js';

const ORG: CallerOrg = { id: 7, timezone: 'UTC', onboardingStatusId: 300 };

class Orgs extends CredentialDirectory {
  asked: number[] = [];

  async findOrg(orgId: number) {
    this.asked.push(orgId);
    return orgId === ORG.id ? ORG : 'unknown';
  }

  findSession(): never {
    throw new Error('not asked for');
  }

  findToken(): never {
    throw new Error('not asked for');
  }
}

describe('the strategy of signed addresses', () => {
  const signature = new UrlSignature(new Secrets(SecretKey.generate()));
  const signedRoute = { takesSignature: true };
  let clock: HandClock;
  let directory: Orgs;
  let strategy: SignedAddressStrategy;
  beforeEach(() => {
    clock = new HandClock();
    directory = new Orgs();
    strategy = new SignedAddressStrategy(directory, signature, clock);
  });
  afterEach(() => strategy.onApplicationShutdown());

  function signed({ orgId = ORG.id, seconds = 60, path = '/api/graph' } = {}): string {
    const parameters = { org_id: String(orgId), exp: String(Math.floor(clock.now()) + seconds), width: '400' };
    const query = new URLSearchParams({ ...parameters, sig: signature.sign(path, Object.entries(parameters)) });
    return `${path}?${query.toString()}`;
  }

  it('returns a reader of the organisation in the address', async () => {
    const reader = { kind: 'token', org: ORG, permissions: Permission.Read, tokenRef: 0 };
    for (const url of [signed(), signed().replace('?', '/?')]) {
      expect(await authenticateBy(strategy, aRequest({ url }), signedRoute)).toEqual([reader, { isSigned: true }]);
    }
  });

  it.each([
    ['on a route that accepts no signature', () => signed(), {}],
    ['without a signature', () => '/api/graph?org_id=7', signedRoute],
  ])('fails without a look-up %s', async (_name, url, options) => {
    expect(await authenticateBy(strategy, aRequest({ url: url() }), options)).toEqual([false, undefined]);
    expect(directory.asked).toEqual([]);
  });

  it.each<[name: string, request: () => ReturnType<typeof aRequest>]>([
    ['another parameter', () => aRequest({ url: signed().replace('width=400', 'width=500') })],
    ['another organisation', () => aRequest({ url: signed().replace('org_id=7', 'org_id=8') })],
    ['another path', () => aRequest({ url: signed().replace('/graph', '/picture') })],
    ['a body', () => aRequest({ url: signed(), method: 'POST', body: { width: 500 } })],
  ])('rejects %s as an invalid signature, without a look-up', async (_name, request) => {
    const answer = authenticateBy(strategy, request(), signedRoute);
    await expect(answer).rejects.toBeInstanceOf(SignatureInvalidError);
    expect(directory.asked).toEqual([]);
  });

  it('rejects a signature when the organisation no longer exists', async () => {
    const answer = authenticateBy(strategy, aRequest({ url: signed({ orgId: 8 }) }), signedRoute);
    await expect(answer).rejects.toBeInstanceOf(SignatureInvalidError);
  });

  it('rejects an expired signature', async () => {
    const url = signed();
    clock.seconds += 61;
    const answer = authenticateBy(strategy, aRequest({ url }), signedRoute);
    await expect(answer).rejects.toBeInstanceOf(SignedUrlExpiredError);
  });
});
