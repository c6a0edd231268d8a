import { type Transferable, Worker } from 'node:worker_threads';

/** The thread ended while calls were waiting for their answer; its memory is lost. */
export class WorkerGoneError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerGoneError';
  }
}

/** A call exceeded the time limit of the thread: the thread was ended, and its memory is lost. */
export class WorkerTimeoutError extends WorkerGoneError {
  constructor(thread: string, limitMs: number) {
    super(`The thread ${thread} was ended: a call took longer than ${String(limitMs)} ms`);
    this.name = 'WorkerTimeoutError';
  }
}

/** The thread answered a call with an error. */
export class WorkerCallError extends Error {
  constructor(
    readonly remoteName: string,
    message: string,
    /** Stack of the error inside the thread. */
    readonly remoteStack: string | undefined,
  ) {
    super(message);
    this.name = 'WorkerCallError';
  }
}

export interface CallMessage<Request> {
  call: number;
  request: Request;
}
export type AnswerMessage<Response> =
  | { call: number; response: Response }
  | { call: number; error: { name: string; message: string; stack: string | undefined } };

interface Waiting<Response> {
  resolve(response: Response): void;
  reject(error: Error): void;
}

/**
 * Calls of one worker thread, answered in the order in which they were made. If a thread dies, its open calls fail with
 * WorkerGoneError; the next call starts a new one. With a time limit, a call that runs longer ends the thread: that
 * call fails with WorkerTimeoutError, those behind it with WorkerGoneError.
 */
export class WorkerChannel<Request, Response> {
  private worker: Worker | undefined;
  private lastCall = 0;
  private readonly waiting = new Map<number, Waiting<Response>>();
  private timer: NodeJS.Timeout | undefined;

  /** @param limitMs time limit for one call; without it there is no limit */
  constructor(
    private readonly entry: URL,
    private readonly name: string,
    private readonly limitMs?: number,
  ) {}

  /** Buffers in `transfer` move to the thread: the caller must not use them afterwards. */
  call(request: Request, transfer: readonly Transferable[] = []): Promise<Response> {
    const worker = (this.worker ??= this.start());
    const call = ++this.lastCall;
    return new Promise<Response>((resolve, reject) => {
      this.waiting.set(call, { resolve, reject });
      worker.ref();
      try {
        worker.postMessage({ call, request } satisfies CallMessage<Request>, transfer);
        if (this.waiting.size === 1) this.watch(worker);
      } catch (error) {
        this.waiting.delete(call);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Ends the thread immediately; open calls fail with WorkerGoneError. */
  async close(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    clearTimeout(this.timer);
    await worker?.terminate();
    this.failAll(new WorkerGoneError(`The thread ${this.name} was stopped`));
  }

  private start(): Worker {
    const worker = new Worker(this.entry, { name: this.name });
    worker.on('message', (answer: AnswerMessage<Response>) => this.settle(worker, answer));
    worker.on('error', (error: Error) => this.drop(worker, error));
    worker.on('exit', (code) => this.drop(worker, new Error(`exit code ${String(code)}`)));
    // An idle thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  private settle(worker: Worker, answer: AnswerMessage<Response>): void {
    const waiting = this.waiting.get(answer.call);
    this.waiting.delete(answer.call);
    clearTimeout(this.timer);
    if (this.waiting.size === 0) worker.unref();
    else this.watch(worker);
    if ('error' in answer) {
      const { name, message, stack } = answer.error;
      waiting?.reject(new WorkerCallError(name, message, stack));
    } else {
      waiting?.resolve(answer.response);
    }
  }

  /** From now on the thread processes the oldest open call. */
  private watch(worker: Worker): void {
    const { limitMs } = this;
    if (limitMs === undefined) return;
    this.timer = setTimeout(() => this.endLate(worker, limitMs), limitMs);
  }

  private endLate(worker: Worker, limitMs: number): void {
    if (this.worker !== worker) return;
    const [oldest] = this.waiting;
    if (oldest === undefined) return;
    const [call, { reject }] = oldest;
    this.waiting.delete(call);
    reject(new WorkerTimeoutError(this.name, limitMs));
    this.drop(worker, new Error('a call before took too long'));
    void worker.terminate();
  }

  private drop(worker: Worker, cause: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    clearTimeout(this.timer);
    this.failAll(new WorkerGoneError(`The thread ${this.name} ended unexpectedly: ${cause.message}`, { cause }));
  }

  private failAll(error: WorkerGoneError): void {
    const open = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of open) reject(error);
  }
}
