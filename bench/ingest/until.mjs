import { setTimeout as pause } from 'node:timers/promises';

/** Repeats until `probe` returns something other than undefined; a time-out reports the last error. */
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
