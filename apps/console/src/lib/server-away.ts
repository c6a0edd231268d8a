import { signal } from './signal';

/** Whether the last call of the API got no answer: no server, or one that stands in for it. */
export const serverAway = signal(false);

const STANDS_IN: readonly number[] = [502, 504];

/** Passes an answer on and notes that there was one; calls that are given up say nothing about the server. */
export async function noteAnswer(answer: Promise<Response>): Promise<Response> {
  try {
    const response = await answer;
    // A server that asks for patience is there, and may be one that stands in.
    if (response.status !== 503) serverAway.set(STANDS_IN.includes(response.status));
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) serverAway.set(true);
    throw error;
  }
}
