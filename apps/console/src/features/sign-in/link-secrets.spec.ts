import { secretsOf } from './link-secrets';

describe('what a mailed link carries', () => {
  it('is read as it stands: a code of digits keeps its zeros', () => {
    expect(secretsOf('/login/validate', '?code=012345&token=12345678901234567890')).toEqual({
      code: '012345',
      token: '12345678901234567890',
    });
  });

  it('is read on a page whose path ends with a slash', () => {
    expect(secretsOf('/verify/', '?email=ann%40example.org&token=abc')).toEqual({
      email: 'ann@example.org',
      token: 'abc',
    });
  });

  it('is nothing on other pages', () => {
    expect(secretsOf('/anomalies', '?token=abc')).toEqual({});
  });

  it('has no member for what the link lacks', () => {
    expect(secretsOf('/verify', '?token=')).toEqual({});
  });
});
