import { signal } from './signal';

/** Whether the last call of the API got no answer: no server, or only a proxy. */
export const serverAway = signal(false);

const STANDS_IN: readonly number[] = [502, 504];

/** Passes an answer on and notes that there was one; aborted calls do not show the state of the server. */
export async function noteAnswer(answer: Promise<Response>): Promise<Response> {
  try {
    const response = await answer;
    // A 503 may come from the server itself or from a proxy.
    if (response.status !== 503) serverAway.set(STANDS_IN.includes(response.status));
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) serverAway.set(true);
    throw error;
  }
}
