import { secretsOf } from './link-secrets';

describe('the secrets in a mailed link', () => {
  it('keep leading zeros', () => {
    expect(secretsOf('/login/validate', '?code=012345&token=12345678901234567890')).toEqual({
      code: '012345',
      token: '12345678901234567890',
    });
  });

  it('are read from a path with a trailing slash', () => {
    expect(secretsOf('/verify/', '?email=ann%40example.org&token=abc')).toEqual({
      email: 'ann@example.org',
      token: 'abc',
    });
  });

  it('are ignored on other pages', () => {
    expect(secretsOf('/anomalies', '?token=abc')).toEqual({});
  });

  it('are omitted when the link does not contain them', () => {
    expect(secretsOf('/verify', '?token=')).toEqual({});
  });
});
