import { signal } from './signal';

/** True if the last call of the API got no answer from the server: there was none, or only that of a proxy. */
export const serverUnavailable = signal(false);

const PROXY_STATUSES: readonly number[] = [502, 504];

/** Passes on an answer and records that there was one; aborted calls say nothing about the state of the server. */
export async function noteAnswer(answer: Promise<Response>): Promise<Response> {
  try {
    const response = await answer;
    // A 503 may be from the server or from a proxy.
    if (response.status !== 503) serverUnavailable.set(PROXY_STATUSES.includes(response.status));
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) serverUnavailable.set(true);
    throw error;
  }
}
