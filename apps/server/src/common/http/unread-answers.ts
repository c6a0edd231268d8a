import { type Server, type ServerResponse } from 'node:http';

/** A client that has taken nothing of a ready answer for so long has gone, or holds memory on purpose. */
const TIMEOUT_MS = 60_000;

/**
 * Ends connections whose client does not read: an answer that is ready stays in memory until it is taken, and Node would
 * keep it for ever. Any progress counts, so slow lines lose nothing. Answers that are still being made, streams of events
 * among them, are not looked at here.
 */
export function dropUnreadAnswers(server: Server, timeoutMs = TIMEOUT_MS): void {
  // Before all others: an answer may be ready at once.
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    // Once the answer is out Node sets the limit of an idle connection instead.
    response.once('prefinish', () => socket.setTimeout(timeoutMs));
  });
}
