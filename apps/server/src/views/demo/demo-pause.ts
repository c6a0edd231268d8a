/** Waits this many milliseconds; ends early when the process stops. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  await new Promise<void>((resume) => {
    const done = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resume();
    };
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done);
  });
}
