import { type Transferable } from 'node:worker_threads';
import { type FairQueue } from '../fair-share/fair-queue.js';
import { currentRequest } from '../http/request-context.js';
import { createExecutor, type Executor, type ExecutorParts } from './executor.js';

/**
 * One thread, or a few, for all callers in rotation: the wait of one does not depend on how much another one requests.
 */
export class FairThread<Request, Response> {
  private readonly threads: Executor<Request, Response>[];
  /** Idle threads, the last used one at the end: others are not started while it is sufficient. */
  private readonly idle: Executor<Request, Response>[];

  /** @param turns with as many slots as there are threads */
  constructor(
    parts: ExecutorParts<Request, Response>,
    private readonly turns: FairQueue,
    threads = 1,
  ) {
    this.threads = Array.from({ length: threads }, () => createExecutor(parts));
    this.idle = [...this.threads];
  }

  /** Without waiting for a turn: for work that already has one. Like `Executor.call`. @throws WorkerGoneError */
  async call(request: Request, transfer?: readonly Transferable[]): Promise<Response> {
    const thread = this.idle.pop();
    // Work of one turn may make several calls at the same time.
    if (thread === undefined) return this.threads[0]!.call(request, transfer);
    try {
      return await thread.call(request, transfer);
    } finally {
      this.idle.push(thread);
    }
  }

  /**
   * Runs all of `work` in one turn of the party; waiting work is dropped if the client disconnects.
   * @param party an organisation, or the address of a stranger
   * @throws OverloadedError too much work waits; ClientGoneError
   */
  inTurn<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    return this.turns.run(party, work, currentRequest.getStore()?.gone);
  }

  /** The same for background work: it waits for its turn and is never refused. */
  async inTurnOrBackground<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    if (currentRequest.getStore()) return this.inTurn(party, work);
    const release = await this.turns.enterAgain(party);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Aborts running calls. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}
