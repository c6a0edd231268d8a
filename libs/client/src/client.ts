import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { ApiError, type ApiProblem } from './api-error.js';
import { type paths } from './schema.js';

export type ApiClient = Client<paths, 'application/json'>;

/**
 * Creates a client of the API whose paths, parameters and answers have the types of openapi.json. For answers that may
 * also be CSV, the types are those of the JSON. `baseUrl`: without `/api`.
 */
export function createApiClient(options: ClientOptions): ApiClient {
  return createClient<paths, 'application/json'>(options);
}

interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/**
 * Returns the content of the envelope of an answer: `await unwrap(client.GET('/api/anomalies', …))`.
 * @throws ApiError for every other answer, and if there is none. A request that its caller aborted rejects with an
 *   AbortError.
 */
export async function unwrap<Data>(request: Promise<Answer<{ data: Data }>>): Promise<Data> {
  let answer: Answer<{ data: Data }>;
  try {
    answer = await request;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('The server cannot be reached.', 0, 'unreachable');
  }
  if (answer.response.ok && answer.data !== undefined) return answer.data.data;
  throw failureOf(answer);
}

function failureOf({ error, response }: Answer<unknown>): ApiError {
  const requestId = response.headers.get('X-Request-Id');
  const data = memberOf(error, 'data');
  const failure = memberOf(data, 'error');
  const code = memberOf(failure, 'code');
  const message = memberOf(data, 'message');
  const details = memberOf(failure, 'details');
  return new ApiError(
    typeof message === 'string' ? message : `The server answered ${String(response.status)}.`,
    response.status,
    typeof code === 'string' ? code : 'unknown',
    Array.isArray(details) ? (details as ApiProblem[]) : [],
    requestId,
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
