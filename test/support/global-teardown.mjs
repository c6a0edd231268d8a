/** What still keeps the run from its end after this time (a socket, a timer) is a leak, and no reason to wait for ever. */
const LEAK_TIMEOUT_MS = 30_000;

export default async function globalTeardown() {
  await globalThis.endTestServices();
  // Its results are written by then. The timer itself holds nothing up.
  setTimeout(() => {
    process.stderr.write('The run is over, but a test has left something open: ended by force\n');
    process.exit(1);
  }, LEAK_TIMEOUT_MS).unref();
}
