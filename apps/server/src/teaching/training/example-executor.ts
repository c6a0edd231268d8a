import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type ShapeHistory } from '#libs/patterns';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import { handleShapes, type ShapeQuestion } from './shape-questions.js';
import { type ExampleRequest, type ExampleResult, type ShapeHistoryRequest } from './training.types.js';

/** Maximum number of waiting previews: of all organisations, and of one. */
const WAITING = 200;
const WAITING_PER_ORG = 20;

/** Searches the past of shapes and simulates trainings, in a separate thread. */
@Injectable()
export class ExampleExecutor implements BeforeApplicationShutdown {
  private readonly thread: FairThread<ShapeQuestion, ExampleResult[] | ShapeHistory[]>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./example-worker.js', import.meta.url),
      name: 'examples',
      handler: () => ({ handle: (question: ShapeQuestion) => handleShapes(question).response }),
    };
    const queue = turns.open('training previews', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    this.thread = new FairThread(parts, queue);
  }

  /**
   * Runs a whole preview in one turn of its organisation: the thread that compares patterns also finds live matches of
   * all organisations, and only one preview at a time delays them.
   * @throws OverloadedError, ClientGoneError
   */
  inTurn<Result>(orgId: number, work: () => Promise<Result>): Promise<Result> {
    return this.thread.inTurn(`org:${String(orgId)}`, work);
  }

  run(request: ExampleRequest): Promise<ExampleResult[]> {
    return this.thread.call({ kind: 'examples', request }) as Promise<ExampleResult[]>;
  }

  /** Other occurrences of the shapes, and how their instances differ. */
  findOccurrences(request: ShapeHistoryRequest): Promise<ShapeHistory[]> {
    return this.thread.call({ kind: 'occurrences', request }) as Promise<ShapeHistory[]>;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
