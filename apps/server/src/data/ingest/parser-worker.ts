import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { movableBuffers, type ParserAnswer, ParserHost, type ParserRequest } from './parser-host.js';

/** Entry of the thread that reads large bodies. */
const host = new ParserHost();

serveWorker((request: ParserRequest): Handled<ParserAnswer> => {
  const response = host.handle(request);
  return { response, transfer: movableBuffers(response) };
});
