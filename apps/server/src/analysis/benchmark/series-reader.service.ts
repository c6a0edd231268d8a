import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { answerOf } from '../../common/workers/thread-answer.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import { DataFileError } from './benchmark.errors.js';
import { type OrderedSeries, readSeries, type SentSeries, type SeriesAnswer } from './read-series.js';

/** Maximum number of series that wait to be read: of all parties, and of one. */
const WAITING = 100;
const WAITING_PER_PARTY = 10;

/** Reads the series of benchmarks in a separate thread, in rotation between the senders. */
@Injectable()
export class SeriesReaderService implements BeforeApplicationShutdown {
  private readonly thread: FairThread<SentSeries, SeriesAnswer>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./series-worker.js', import.meta.url),
      name: 'benchmark series',
      handler: () => ({ handle: readSeries }),
    };
    const queue = turns.open('benchmark series', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_PARTY });
    this.thread = new FairThread(parts, queue);
  }

  /**
   * A series in chronological order, its usual interval in seconds, and the unreadable parts.
   * @throws DataFileError; OverloadedError, ClientGoneError
   */
  async read(party: string, sent: SentSeries): Promise<OrderedSeries> {
    const answer = await this.thread.inTurn(party, () => answerOf(this.thread.call(sent), 'The series'));
    if ('problem' in answer) throw new DataFileError(answer.problem);
    return answer;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
