import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Transferable } from 'node:worker_threads';
import { createExecutor } from '../../common/workers/executor.js';
import { type ParserAnswer, ParserHost, type ParserRequest } from './parser-host.js';

/** The thread that parses large bodies, one after the other. It starts with the first one. */
@Injectable()
export class ParserThreadService implements OnApplicationShutdown {
  private readonly thread = createExecutor<ParserRequest, ParserAnswer>({
    entry: new URL('./parser-worker.js', import.meta.url),
    name: 'parser',
    handler: () => {
      const host = new ParserHost();
      return { handle: (request) => host.handle(request) };
    },
  });

  /** @throws WorkerGoneError */
  call(request: ParserRequest, transfer?: readonly Transferable[]): Promise<ParserAnswer> {
    return this.thread.call(request, transfer);
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the thread. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
