import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { PasswordService } from './password.service.js';

const aService = () => new PasswordService(new FairQueueRegistry(new MetricsRegistry()));
const passwords = aService();

function requestFrom(address: string): RequestContext {
  const context = new RequestContext(undefined);
  context.address = address;
  return context;
}

describe('problem', () => {
  it.each([
    ['twelve chars', undefined],
    ['elevenchars', 'must have 12 to 200 characters, it has 11'],
    ['x'.repeat(200), undefined],
    ['x'.repeat(201), 'must have 12 to 200 characters, it has 201'],
    ['   short   ', 'must have 12 to 200 characters, it has 5'],
    ['🔑'.repeat(11), 'must have 12 to 200 characters, it has 11'],
    ['🔑'.repeat(12), undefined],
    ['PassWord1234', 'is on the list of common passwords'],
    ['Someone@Example.org', 'must differ from the e-mail address'],
    ['twelve\u0000chars', 'must not contain control characters'],
  ])('returns for %j the problem %j', (password, problem) => {
    expect(passwords.problem(password, 'someone@example.org')).toBe(problem);
  });
});

describe('hash and verify', () => {
  it('accept the password of the hash and no other', async () => {
    const hash = await passwords.hash('correct horse battery');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'correct horse battery')).toBe(true);
    expect(await passwords.verify(hash, 'correct horse batterz')).toBe(false);
  });

  it('use a salt: two hashes of a password differ', async () => {
    expect(await passwords.hash('correct horse battery')).not.toBe(await passwords.hash('correct horse battery'));
  });

  it('treat composed and decomposed letters, and surrounding blanks, as the same password', async () => {
    const hash = await passwords.hash(' pässword für alle ');
    expect(await passwords.verify(hash, 'pässword für alle'.normalize('NFD'))).toBe(true);
  });

  it('reject any password without a hash, after the same work', async () => {
    // A malformed stand-in hash would throw. As it is valid and has the same cost, the times are equal.
    expect(await passwords.verify(null, 'correct horse battery')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });
});

describe('a flood of checks', () => {
  it('is rejected beyond the length of the queue, and does not affect later checks', async () => {
    const flooded = aService();
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => flooded.verify(null, 'x')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(60 - 23);
    expect(refused.length).toBeLessThan(40);
    expect(refused[0]!.reason).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    const hash = await flooded.hash('correct horse battery');
    expect(await flooded.verify(hash, 'correct horse battery')).toBe(true);
  });

  it('from one address lets a check from another address overtake it', async () => {
    const flooded = aService();
    const order: string[] = [];
    const verify = (address: string) =>
      currentRequest.run(requestFrom(address), async () => {
        await flooded.verify(null, 'x');
        order.push(address);
      });
    const flood = Array.from({ length: 15 }, () => verify('192.0.2.1'));
    await Promise.all([...flood, verify('192.0.2.2')]);
    expect(order.indexOf('192.0.2.2')).toBeLessThan(6);
  });
});
