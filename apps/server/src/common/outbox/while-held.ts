export interface Hold {
  /** Extends the claim; false if another process has it now. */
  renew: () => Promise<boolean>;
  everyMs: number;
  /** Aborted when this process has waited long enough for its work to end. */
  stopped: AbortSignal;
}

/** Runs a piece of work while its claim is renewed; `signal` is aborted when the claim is lost or the process stops. */
export async function whileHeld<Result>(
  { renew, everyMs, stopped }: Hold,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const claim = new AbortController();
  const renewal = setInterval(() => {
    renew().then(
      (isHeld) => (isHeld ? undefined : claim.abort()),
      // The next renewal may succeed; if none does, the claim expires.
      () => undefined,
    );
  }, everyMs);
  try {
    return await work(AbortSignal.any([claim.signal, stopped]));
  } finally {
    clearInterval(renewal);
  }
}
