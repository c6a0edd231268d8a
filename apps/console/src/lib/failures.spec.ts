import { ApiError } from '#libs/client';
import { isPassing, isRefused, isUnreachable } from './failures';

const failure = (status: number, code: string): ApiError => new ApiError('', status, code);

describe('a failed request', () => {
  it('says that the session has ended, unless a password or code was wrong', () => {
    expect(isRefused(failure(401, 'session_expired'))).toBe(true);
    expect(isRefused(failure(401, 'not_authenticated'))).toBe(true);
    expect(isRefused(failure(401, 'login_failed'))).toBe(false);
    expect(isRefused(failure(401, 'code_invalid'))).toBe(false);
    expect(isRefused(failure(403, 'permission_denied'))).toBe(false);
  });

  it('says that no server answered', () => {
    expect(isUnreachable(failure(0, 'unreachable'))).toBe(true);
    expect(isUnreachable(failure(503, 'not_ready'))).toBe(true);
    expect(isUnreachable(failure(503, 'not_configured'))).toBe(false);
  });

  it('may not fail again where another try helps', () => {
    expect(isPassing(failure(429, 'rate_limited'))).toBe(true);
    expect(isPassing(failure(400, 'validation_failed'))).toBe(false);
  });
});
