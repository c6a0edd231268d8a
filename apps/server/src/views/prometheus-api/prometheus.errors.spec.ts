import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { OverloadedError, TooLargeError } from '../../common/http/http.errors.js';
import { RateLimitedError } from '../../common/http/rate-limits.js';
import { BadDataError, ExecutionError, prometheusErrorBody, QueryTimeoutError } from './prometheus.errors.js';

describe('prometheusErrorBody', () => {
  it.each([
    [new BadDataError('x'), 400, 'bad_data'],
    [new ExecutionError('x'), 422, 'execution'],
    [new QueryTimeoutError('x'), 503, 'timeout'],
    [new NotFoundError('x'), 404, 'not_found'],
    [new AppError('not_authenticated', 'x'), 401, 'unauthorized'],
    [new AppError('permission_denied', 'x'), 403, 'forbidden'],
    [new RateLimitedError({ limit: 1, remaining: 0, resetSeconds: 1 }), 429, 'too_many_requests'],
    [new OverloadedError('x'), 503, 'unavailable'],
    [new AppError('not_ready', 'x'), 503, 'unavailable'],
    [new AppError('internal_error', 'x'), 500, 'internal'],
    [new TooLargeError('x', 1), 413, 'bad_data'],
  ])('converts %s', (error, status, errorType) => {
    expect(error.httpStatus).toBe(status);
    expect(prometheusErrorBody(error)).toEqual({
      contentType: 'application/json',
      body: { status: 'error', errorType, error: error.message },
    });
  });
});
