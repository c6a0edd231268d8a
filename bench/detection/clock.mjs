/** Seconds of a monotonic clock; for differences. */
export function secondsNow() {
  return Number(process.hrtime.bigint()) / 1e9;
}

/** Seconds of processor time that this process has used, on all of its threads. */
export function processorSecondsNow() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Duration of `work` in seconds. */
export function secondsOf(work) {
  const from = secondsNow();
  work();
  return secondsNow() - from;
}
