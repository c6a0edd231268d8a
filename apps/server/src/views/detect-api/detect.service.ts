import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { ForeignAnswer } from '../../common/http/foreign-answer.js';
import { UnsupportedMediaTypeError } from '../../common/http/http.errors.js';
import { answerOf } from '../../common/workers/thread-answer.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import { answerDetection, type DetectResult, type DetectWork } from './detect-answer.js';
import { DetectRequestError } from './detect-api.errors.js';
import { type DetectKind } from './detect-request.js';

/** Maximum number of series that wait to be judged: of all organisations, and of one. */
const WAITING = 100;
const WAITING_PER_ORG = 20;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Judges the series of requests outside the main thread, in rotation between organisations. */
@Injectable()
export class DetectService implements OnApplicationShutdown {
  private readonly thread: FairThread<DetectWork, DetectResult>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./detect-worker.js', import.meta.url),
      name: 'sent series',
      handler: () => ({ handle: answerDetection }),
    };
    const queue = turns.open('sent series', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    this.thread = new FairThread(parts, queue);
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the thread. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }

  /**
   * @param body the JSON of the request, as it was sent
   * @throws DetectRequestError; UnsupportedMediaTypeError; OverloadedError if too many wait; ClientGoneError
   */
  async detect(caller: KnownCaller, kind: DetectKind, body: Buffer, contentType: string): Promise<ForeignAnswer> {
    if (!JSON_TYPE.test(contentType)) throw new UnsupportedMediaTypeError('The body must be application/json.');
    const bytes = Uint8Array.from(body);
    const result = await this.thread.inTurn(`org:${String(caller.org.id)}`, () =>
      answerOf(this.thread.call({ kind, bytes }, [bytes.buffer]), 'The series'),
    );
    if ('refused' in result) throw new DetectRequestError(result.refused.code, result.refused.message);
    return new ForeignAnswer(200, { 'Content-Type': 'application/json; charset=utf-8' }, Buffer.from(result.body));
  }
}
