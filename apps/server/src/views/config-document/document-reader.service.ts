import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ClientGoneError } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest } from '../../common/http/request-context.js';
import { answerOf } from '../../common/workers/thread-answer.js';
import { WorkerTimeoutError } from '../../common/workers/worker-channel.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import { ConfigDocumentError } from './config-document.errors.js';
import { type DocumentReading, type ReadObject } from './config-document.types.js';
import { readDocument } from './read-document.js';

/** Maximum number of documents that wait to be read: of all organisations, and of one. */
const WAITING = 100;
const WAITING_PER_ORG = 10;
/** One thread each for two organisations: a document that uses its whole time does not block others. */
const THREADS = 2;
/** Time limit of one document: many times the duration of the largest, so that a busy machine aborts none. */
const LONGEST_MS = 20_000;

/** Reads documents outside the main thread, in rotation between organisations, one of each organisation at a time. */
@Injectable()
export class DocumentReaderService implements OnApplicationShutdown {
  private readonly thread: FairThread<string, DocumentReading>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./document-worker.js', import.meta.url),
      name: 'documents',
      handler: () => ({ handle: readDocument }),
      limitMs: LONGEST_MS,
    };
    const shares = { slots: THREADS, slotsPerParty: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG };
    this.thread = new FairThread(parts, turns.open('documents', shares), THREADS);
  }

  /**
   * @throws ConfigDocumentError with the lines of all problems, or that it took too long; OverloadedError if too many
   * wait; ClientGoneError
   */
  async read(orgId: number, text: string): Promise<readonly ReadObject[]> {
    const reading = () => answerOf(this.thread.call(text).catch(rethrowTimeout), 'The document');
    const { objects, problems } = await this.thread.inTurn(`org:${String(orgId)}`, reading);
    // Nothing is changed for a client that will not receive the result.
    if (currentRequest.getStore()?.gone.aborted === true) throw new ClientGoneError();
    if (problems.length > 0) throw new ConfigDocumentError(problems);
    return objects;
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the thread. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}

function rethrowTimeout(error: unknown): never {
  if (!(error instanceof WorkerTimeoutError)) throw error;
  const message = `the document takes more than ${String(LONGEST_MS / 1000)} s to be read; divide it into smaller ones`;
  throw new ConfigDocumentError([{ line: 1, code: 'too_long', message }]);
}
