/** Rejects after this many milliseconds; for a race with an answer. Does not keep the process running. */
export function rejectAfter(milliseconds: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${String(milliseconds)} ms`)), milliseconds).unref();
  });
}
