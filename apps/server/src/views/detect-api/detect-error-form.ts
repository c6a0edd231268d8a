import { type AppError } from '../../common/errors/app-error.js';
import { type ForeignError } from '../../common/http/request-context.js';
import { DetectRequestError } from './detect-api.errors.js';

/**
 * The error of a request as `{code, message}`, as in the retired service. Errors of its gateway (credentials, limits,
 * sizes) are `{error: {code, message}}`, with the HTTP status as code.
 */
export function detectErrorForm(error: AppError): ForeignError {
  const contentType = 'application/json';
  if (error instanceof DetectRequestError || error.code === 'malformed_body') {
    const code = error instanceof DetectRequestError ? error.detectCode : 'InvalidJsonFormat';
    return { contentType, headers: { 'x-ms-error-code': code }, body: { code, message: error.message } };
  }
  const code = String(error.httpStatus);
  return {
    contentType,
    headers: { 'x-ms-error-code': code },
    body: { error: { code, message: error.message } },
  };
}
