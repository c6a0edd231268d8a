import { ClientGoneError } from '../../common/fair-share/fair-queue.js';
import { currentRequest } from '../../common/http/request-context.js';
import { QueryTimeoutError } from './prometheus.errors.js';

/** The time limit of the work for a request. */
export class Deadline {
  private readonly end: number;
  private readonly gone: AbortSignal | undefined;

  /** Create it while the request is handled: it observes whether the client disconnects. */
  constructor(seconds: number) {
    this.end = performance.now() + seconds * 1000;
    this.gone = currentRequest.getStore()?.gone;
  }

  /** @throws QueryTimeoutError; ClientGoneError */
  check(what: string): void {
    if (this.gone?.aborted === true) throw new ClientGoneError();
    if (performance.now() > this.end) throw new QueryTimeoutError(what);
  }
}
