import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, type Transferable } from 'node:worker_threads';
import { type AnswerMessage, type CallMessage } from './worker-channel.js';

/** The result of a handler, and the buffers of it that may be moved instead of copied. */
export interface Handled<Response> {
  response: Response;
  transfer: readonly Transferable[];
}

/**
 * Steps of niceness by which threads have a lower priority than the one that answers requests, if there are fewer
 * processors than work: threads that all organisations wait for (`shared`), and threads that only the caller of a long
 * piece of work waits for (`single`), which get a tenth of the time of the answering thread.
 */
const NICENESS = { shared: 5, single: 10 };

/**
 * Relative to the niceness of the process: it may have been started with a different one, and without rights no thread
 * can go below it.
 */
function lowerPriority(steps: number): void {
  setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + steps));
}

/**
 * The other end of a WorkerChannel: answers every call with the result of `handle`. Call it once, inside a worker
 * thread.
 */
export function serveWorker(
  handle: (request: never) => Handled<unknown> | Promise<Handled<unknown>>,
  waits: keyof typeof NICENESS = 'shared',
): void {
  const port = parentPort;
  if (!port) throw new Error('serveWorker is for worker threads only');
  // Elsewhere this would set the priority of the whole process.
  if (process.platform === 'linux') lowerPriority(NICENESS[waits]);
  const answer = async ({ call, request }: CallMessage<never>): Promise<void> => {
    try {
      const { response, transfer } = await handle(request);
      port.postMessage({ call, response } satisfies AnswerMessage<unknown>, transfer);
    } catch (error) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ call, error: { name, message, stack } } satisfies AnswerMessage<unknown>);
    }
  };
  port.on('message', (message: CallMessage<never>) => void answer(message));
}
