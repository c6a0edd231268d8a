import { existsSync } from 'node:fs';
import { type Transferable } from 'node:worker_threads';
import { WorkerChannel } from './worker-channel.js';

/** Answers requests sequentially, in the order in which they were made. */
export interface Executor<Request, Response> {
  /**
   * Buffers in `transfer` may move to a thread: the caller must not use them afterwards.
   *
   * @throws WorkerGoneError if a thread died, with its memory; the next call starts another one. WorkerTimeoutError if
   * it was ended because this call took too long
   */
  call(request: Request, transfer?: readonly Transferable[]): Promise<Response>;
  /** Aborts running calls. */
  close(): Promise<void>;
}

/** Answers the requests if there is no thread. */
interface Handler<Request, Response> {
  handle: (request: Request) => Response | Promise<Response>;
  close?: () => Promise<void>;
}

/** Answers in the calling thread. */
export class InlineExecutor<Request, Response> implements Executor<Request, Response> {
  constructor(private readonly handler: Handler<Request, Response>) {}

  async call(request: Request): Promise<Response> {
    return this.handler.handle(request);
  }

  async close(): Promise<void> {
    await this.handler.close?.();
  }
}

export interface ExecutorParts<Request, Response> {
  /** The compiled file that serves the thread (`serveWorker`). */
  entry: URL;
  /** Name of the thread. */
  name: string;
  handler: () => Handler<Request, Response>;
  /** Time limit of the thread for one call, in milliseconds, after which it is ended; without it there is no limit. */
  limitMs?: number;
}

/** A thread when its entry is compiled, else (TypeScript run from source, as in tests) the calling thread. */
export function createExecutor<Request, Response>(
  parts: ExecutorParts<Request, Response>,
): Executor<Request, Response> {
  const { entry, name, handler, limitMs } = parts;
  return existsSync(entry) ? new WorkerChannel(entry, name, limitMs) : new InlineExecutor(handler());
}
