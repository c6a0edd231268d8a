import { isArrayBuffer } from 'node:util/types';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { answerOf } from '../workers/thread-answer.js';
import { FairThread } from '../workers/fair-thread.js';
import { type SentBody } from './body-parsing.js';
import { MalformedBodyError } from './http.errors.js';
import { type LargeBodyAnswer, readLargeBody } from './large-body.js';

/** Maximum number of large bodies that wait to be read: of all parties, and of one. Their bytes are also bounded. */
const WAITING = 300;
const WAITING_PER_PARTY = 40;

/** Parses large bodies of API requests in a separate thread, sequentially, in rotation between parties. */
@Injectable()
export class LargeBodyReader implements OnApplicationShutdown {
  private readonly thread: FairThread<SentBody, LargeBodyAnswer>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./body-worker.js', import.meta.url),
      name: 'bodies',
      handler: () => ({ handle: readLargeBody }),
    };
    const queue = turns.open('bodies', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_PARTY });
    this.thread = new FairThread(parts, queue);
  }

  /**
   * The members of a body, whose bytes are no longer available afterwards.
   * @param party an organisation, or the address of a stranger
   * @throws MalformedBodyError if the body cannot be read
   * @throws OverloadedError if too many bodies wait
   * @throws ClientGoneError if the client has disconnected
   */
  async read(party: string, sent: SentBody): Promise<object> {
    const answer = await this.thread.inTurn(party, () => answerOf(this.call(sent), 'The body'));
    if ('refused' in answer) throw new MalformedBodyError(answer.refused);
    return answer.members;
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the thread. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }

  private call(sent: SentBody): Promise<LargeBodyAnswer> {
    const { buffer, byteLength } = sent.bytes;
    // Memory that also holds other data is copied.
    const isOwn = isArrayBuffer(buffer) && buffer.byteLength === byteLength;
    return this.thread.call(isOwn ? sent : { ...sent, bytes: Uint8Array.from(sent.bytes) }, isOwn ? [buffer] : []);
  }
}
