import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { FORGET_UNUSED_EVERY_MS } from './name-caches.js';
import { movableBuffers, type ParserAnswer, ParserHost, type ParserRequest } from './parser-host.js';

/** Entry of the thread that parses large bodies. */
const host = new ParserHost();
setInterval(() => host.forgetUnusedNames(), FORGET_UNUSED_EVERY_MS).unref();

serveWorker((request: ParserRequest): Handled<ParserAnswer> => {
  const response = host.handle(request);
  return { response, transfer: movableBuffers(response) };
});
