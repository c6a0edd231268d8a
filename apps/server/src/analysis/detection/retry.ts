/** Resolves after this time, or immediately when the signal is raised. Never rejects. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * Resolves with the result of the work; with undefined if it failed, or immediately when the signal is raised. Never
 * rejects.
 */
export function doneOrAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const end = (result?: T) => {
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = () => end();
    signal.addEventListener('abort', abort, { once: true });
    work.then(end, abort);
  });
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** Increasing, randomised pauses, so that waiting processes do not all retry at the same time. */
export function backOffMilliseconds(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
}

/** Creates the function that `persist` calls after each failure, from a description of the work. */
export type Warner = (what: string) => (error: unknown, failures: number) => void;

/**
 * Retries until the work succeeds. Gives up, with the last error, if `isPermanent` returns true, or at the first failure
 * after the signal was raised.
 * @param onFailure called after each failure, with the number of failures so far
 */
export async function retry<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown, failures: number) => void,
  isPermanent: (error: unknown, failures: number) => boolean = () => false,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || isPermanent(error, failures)) throw error;
      onFailure(error, failures);
    }
    await pause(backOffMilliseconds(failures - 1), signal);
  }
}
