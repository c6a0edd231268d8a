import { type AppError } from '../../common/errors/app-error.js';
import { type ForeignError } from '../../common/http/request-context.js';

const PARSE_ERROR = -32_700;
/** The JSON-RPC range for server errors. */
const SERVER_ERROR = -32_000;

/** The error of a whole request, as a JSON-RPC error; `data` contains its code of the API. */
export function mcpErrorForm({ code, httpStatus, message, details }: AppError): ForeignError {
  const challenge = challengeOf(code, httpStatus);
  return {
    contentType: 'application/json',
    body: {
      jsonrpc: '2.0',
      error: { code: code === 'malformed_body' ? PARSE_ERROR : SERVER_ERROR, message, data: { code, details } },
      id: null,
    },
    ...(challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } }),
  };
}

/** RFC 6750: the credentials that a client has to present. */
function challengeOf(code: AppError['code'], status: number): string | undefined {
  if (code === 'permission_denied') return 'Bearer realm="Plumbline", error="insufficient_scope", scope="read"';
  if (code === 'token_expired') return 'Bearer realm="Plumbline", error="invalid_token"';
  return status === 401 ? 'Bearer realm="Plumbline"' : undefined;
}
