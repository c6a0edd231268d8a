import { SsoConfig } from './sso.config.js';
import { SsoRefusedError } from './sso.errors.js';
import { claimAt, personOf } from './sso-person.js';

const config = (fields: Partial<SsoConfig> = {}): SsoConfig => Object.assign(new SsoConfig(), fields);
const ISSUER = 'https://id.example.org';

describe('personOf', () => {
  it('trims the address and replaces control characters in the name', () => {
    const claims = { email: ' ann@example.org ', email_verified: true, name: 'Ann\u0000Berg' };
    expect(personOf(ISSUER, '1', claims, config())).toEqual({
      issuer: ISSUER,
      subject: '1',
      email: 'ann@example.org',
      isEmailConfirmed: true,
      name: 'Ann Berg',
      isAdmin: null,
    });
  });

  it.each(['', 'a\u0000b', 'line\nfeed', 'x'.repeat(256), '\ud800'])('rejects the subject %j', (subject) => {
    expect(() => personOf(ISSUER, subject, {}, config())).toThrow(SsoRefusedError);
  });

  it('accepts a subject of 255 characters, and ignores an address with control characters', () => {
    const { subject, email } = personOf(ISSUER, 'x'.repeat(255), { email: 'a\u0000@example.org' }, config());
    expect([subject.length, email]).toEqual([255, null]);
  });

  it('joins the parts of a name, and cuts a long name to 100 characters', () => {
    expect(personOf(ISSUER, '1', { given_name: 'Ann', family_name: 'Berg' }, config()).name).toBe('Ann Berg');
    expect(personOf(ISSUER, '1', { name: 'x'.repeat(200) }, config()).name).toHaveLength(100);
    expect(personOf(ISSUER, '1', { name: 5 }, config()).name).toBe('');
  });

  it.each([
    [true, false, true],
    ['true', false, true],
    [false, true, false],
    ['false', true, false],
    [undefined, false, false],
    [undefined, true, true],
    [1, true, false],
  ])('with email_verified %j and trustEmail %j sets isEmailConfirmed to %j', (email_verified, trustEmail, expected) => {
    const claims = { email: 'ann@example.org', email_verified };
    expect(personOf(ISSUER, '1', claims, config({ trustEmail })).isEmailConfirmed).toBe(expected);
  });

  it.each([
    ['admin', true],
    [['user', 'admin'], true],
    [['administrators'], false],
    [{ admin: true }, false],
    [undefined, false],
  ])('finds an administrator only by the admin value in the claim: %j', (role, expected) => {
    const isAdmin = personOf(ISSUER, '1', { role }, config({ adminClaim: 'role', adminValue: 'admin' })).isAdmin;
    expect(isAdmin).toBe(expected);
  });
});

describe('claimAt', () => {
  it('reads names with dots and paths into nested claims, and no inherited properties', () => {
    const claims = { 'https://example.org/roles': ['a'], realm_access: { roles: ['b'] } };
    expect(claimAt(claims, 'https://example.org/roles')).toEqual(['a']);
    expect(claimAt(claims, 'realm_access.roles')).toEqual(['b']);
    expect(claimAt(claims, 'realm_access.constructor.name')).toBeUndefined();
    expect(claimAt(claims, 'realm_access.roles.length.x')).toBeUndefined();
  });
});
