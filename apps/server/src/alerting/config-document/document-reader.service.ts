import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ClientGoneError } from '../../common/fair-share/turns.js';
import { TurnsRegistry } from '../../common/fair-share/turns-registry.js';
import { currentRequest } from '../../common/http/request-context.js';
import { answerOf } from '../../common/workers/thread-answer.js';
import { ThreadByTurns } from '../../common/workers/thread-by-turns.js';
import { ConfigDocumentError } from './config-document.errors.js';
import { type DocumentReading, type ReadObject } from './config-document.types.js';
import { readDocument } from './read-document.js';

/** Documents that wait to be read: of all organisations, and of one. */
const WAITING = 100;
const WAITING_PER_ORG = 10;

/** Reads documents away from the thread that answers requests, one after the other, by turns between organisations. */
@Injectable()
export class DocumentReader implements BeforeApplicationShutdown {
  private readonly thread: ThreadByTurns<string, DocumentReading>;

  constructor(turns: TurnsRegistry) {
    const parts = {
      entry: new URL('./document-worker.js', import.meta.url),
      name: 'documents',
      handler: () => ({ handle: readDocument }),
    };
    const queue = turns.open('documents', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    this.thread = new ThreadByTurns(parts, queue);
  }

  /** @throws ConfigDocumentError with the lines of all problems; OverloadedError too many wait; ClientGoneError */
  async read(orgId: number, text: string): Promise<readonly ReadObject[]> {
    const reading = () => answerOf(this.thread.call(text), 'The document');
    const { objects, problems } = await this.thread.inTurn(`org:${String(orgId)}`, reading);
    // Nothing is changed for a client that will not learn of it.
    if (currentRequest.getStore()?.gone.aborted === true) throw new ClientGoneError();
    if (problems.length > 0) throw new ConfigDocumentError(problems);
    return objects;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
