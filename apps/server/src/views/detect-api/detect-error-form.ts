import { type AppError } from '../../common/errors/app-error.js';
import { type ForeignError } from '../../common/http/request-context.js';
import { DetectRequestError } from './detect-api.errors.js';

/**
 * What is wrong with a request as `{code, message}`, as the retired service said it. What its gateway said (credentials,
 * limits, sizes) is `{error: {code, message}}`, where the code is the HTTP status.
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
