import { type Handled, serveWorker } from '../workers/worker-port.js';
import { type SentBody } from './body-parsing.js';
import { type LargeBodyAnswer, memoryOf, readLargeBody } from './large-body.js';

/** Entry of the thread that reads large bodies of API requests. */
serveWorker((sent: SentBody): Handled<LargeBodyAnswer> => {
  const response = readLargeBody(sent);
  return { response, transfer: memoryOf(response) };
});
