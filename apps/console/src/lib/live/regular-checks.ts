import { type QueryClient } from '@tanstack/react-query';
import { isPassing } from '../failures';
import { sessionEnded } from '../session-state';

const PULSE_MS = 5000;
/** Timers stop while the computer sleeps. Browsers slow down those of background tabs to one per minute. */
const ASLEEP_MS = 150_000;
/**
 * Failed requests are repeated after this time, even if the stream is open: a server that has just started refuses
 * some.
 */
const HEAL_MS = 15_000;

/** Calls `wake` after each sleep of the computer, until the returned function is called. */
export function afterSleep(wake: () => void): () => void {
  let last = Date.now();
  const pulse = setInterval(() => {
    const now = Date.now();
    const hasSlept = now - last > ASLEEP_MS;
    last = now;
    if (hasSlept) wake();
  }, PULSE_MS);
  return () => clearInterval(pulse);
}

/** Repeats failed requests of the shown page, until the returned function is called. */
export function healFailures(client: QueryClient): () => void {
  const heal = setInterval(() => {
    if (document.hidden || sessionEnded.get()) return;
    void client.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error' && state.fetchStatus === 'idle' && isPassing(state.error),
    });
  }, HEAL_MS);
  return () => clearInterval(heal);
}
