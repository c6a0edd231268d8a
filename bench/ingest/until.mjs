import { setTimeout as pause } from 'node:timers/promises';

/** Asks until `probe` answers something other than undefined; the last error explains a time-out. */
export async function until(what, probe, { timeoutMs = 60_000, everyMs = 100 } = {}) {
  const deadline = Date.now() + timeoutMs;
  let last;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`, { cause: last });
    await pause(everyMs);
  }
}
