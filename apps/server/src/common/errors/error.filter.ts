import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { type ErrorCode, type ErrorDetail } from '#libs/contracts';
import { errorData, StatusBlocks } from '../envelope/status-blocks.js';
import { isIngestPath } from '../http/api-paths.js';
import { MethodNotAllowedError } from '../http/http.errors.js';
import { setRateLimitHeaders } from '../http/rate-limit.guard.js';
import { RateLimitedError } from '../http/rate-limits.js';
import { contextOf, type EdgeRequest } from '../http/request-context.js';
import { RefusalCounts } from '../telemetry/refusal-counts.js';
import { AppError, NotFoundError } from './app-error.js';

/** Errors of Nest, mapped to the catalogue. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode | undefined>> = {
  400: 'validation_failed',
  401: 'not_authenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  501: 'not_implemented',
  503: 'not_ready',
};

const DATABASE_RETRY_SECONDS = 5;
/** SQLSTATE classes and system errors for an unavailable database: connection lost, stopping, full. */
const DATABASE_AWAY = /^(08...|57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE)$/;
/** Messages of the PostgreSQL driver, which have no code, for a connection that broke or could not be opened. */
const CONNECTION_LOST = /^(Connection terminated|timeout exceeded when trying to connect)/;

/**
 * Converts every thrown error to an answer, from handlers, guards, middleware and Nest. Outside the ingest paths the
 * answer has the envelope. An unexpected error is logged with its stack and answered with the request id only.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('HTTP');

  constructor(
    private readonly statusBlocks: StatusBlocks,
    private readonly refusals: RefusalCounts,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<EdgeRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = this.translate(thrown, request);
    if (response.headersSent) {
      // Part of the answer has already been sent; only a broken connection shows that it is incomplete.
      response.destroy();
      return;
    }
    response.removeHeader('ETag');
    response.removeHeader('Content-Disposition');
    response.setHeader('Cache-Control', 'no-store');
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', Math.ceil(error.retryAfterSeconds));
    if (error instanceof RateLimitedError) setRateLimitHeaders(response, error.state);
    if (error instanceof MethodNotAllowedError) response.setHeader('Allow', error.allow);
    const { httpStatus, code, message, details } = error;
    this.refusals.record(orgOf(request), code);
    const foreign = contextOf(request).errorBody?.(error);
    if (foreign) {
      response
        .status(foreign.status ?? httpStatus)
        .set({ ...foreign.headers })
        .type(foreign.contentType)
        .send(foreign.body);
      return;
    }
    const body = isIngestPath(request.path)
      ? { code: httpStatus, error: code, message, details }
      : { status: this.statusBlocks.create(request, httpStatus), data: errorData(code, message, details) };
    response.status(httpStatus).type('application/json').json(body);
  }

  private translate(thrown: unknown, request: EdgeRequest): AppError {
    if (thrown instanceof AppError) return thrown;
    if (thrown instanceof HttpException) {
      const code = CODE_OF_STATUS[thrown.getStatus()];
      if (code === 'not_found') return new NotFoundError();
      if (code) return new AppError(code, thrown.message, [] satisfies ErrorDetail[]);
    }
    const { requestId } = contextOf(request);
    if (isDatabaseUnavailable(thrown)) {
      // Every request fails in the same way until the database is back: one line each, without stack.
      this.logger.warn(`request ${requestId} found no database: ${(thrown as Error).message}`);
      return new AppError('not_ready', 'The database is unavailable; try again soon.', [], DATABASE_RETRY_SECONDS);
    }
    this.logger.error(`unexpected error in request ${requestId}`, stackOf(thrown));
    return new AppError('internal_error', `Internal error. Request id: ${requestId}`);
  }
}

function orgOf(request: EdgeRequest): number | null {
  const { caller } = request;
  return contextOf(request).orgId ?? (caller === undefined || caller.kind === 'anonymous' ? null : caller.org.id);
}

function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, driverError } = thrown as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return (typeof found === 'string' && DATABASE_AWAY.test(found)) || CONNECTION_LOST.test(thrown.message);
}

/** Stacks of the error and its causes, without other members, which may contain parameters of queries. */
function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const stack = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? stack : `${stack}\ncaused by: ${stackOf(thrown.cause)}`;
}
