import { ApiError } from '#libs/client';
import { isPassing, isRefused, isUnreachable } from './failures';

const failure = (status: number, code: string): ApiError => new ApiError('', status, code);

describe('a failed request', () => {
  it('ends the session for a 401, except for a wrong password or code', () => {
    expect(isRefused(failure(401, 'session_expired'))).toBe(true);
    expect(isRefused(failure(401, 'not_authenticated'))).toBe(true);
    expect(isRefused(failure(401, 'login_failed'))).toBe(false);
    expect(isRefused(failure(401, 'code_invalid'))).toBe(false);
    expect(isRefused(failure(403, 'permission_denied'))).toBe(false);
  });

  it('counts as unreachable without a response or before the server is ready', () => {
    expect(isUnreachable(failure(0, 'unreachable'))).toBe(true);
    expect(isUnreachable(failure(503, 'not_ready'))).toBe(true);
    expect(isUnreachable(failure(503, 'not_configured'))).toBe(false);
  });

  it('may be retried only if it can succeed later', () => {
    expect(isPassing(failure(429, 'rate_limited'))).toBe(true);
    expect(isPassing(failure(400, 'validation_failed'))).toBe(false);
  });
});
