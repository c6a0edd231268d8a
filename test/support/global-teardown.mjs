/**
 * A handle (a socket, a timer) that keeps the run from ending after this time is a leak; the run does not wait for it.
 */
const LEAK_TIMEOUT_MS = 30_000;

export default async function globalTeardown() {
  await globalThis.endTestServices();
  // The results are written by then. The timer itself does not keep the process alive.
  setTimeout(() => {
    process.stderr.write('The run is over, but a test has left something open: ended by force\n');
    process.exit(1);
  }, LEAK_TIMEOUT_MS).unref();
}
