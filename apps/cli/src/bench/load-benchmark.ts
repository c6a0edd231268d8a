import { CliError } from '../cli-error.js';

/** The error of Node.js for an import of `#libs/evaluation` if the build has no such folder. */
const ABSENT = /[\\/]libs[\\/]evaluation[\\/]/;

/**
 * Loads the program of a benchmark. The benchmarks need `libs/evaluation`, which the container image omits.
 *
 * @throws CliError if it is missing: its message states where the benchmarks run
 */
export async function loadBenchmark<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !ABSENT.test(message)) throw error;
    throw new CliError(
      'The container image does not have the benchmarks (libs/evaluation). Run them in a copy of the source: ' +
        'npm ci, then npx plumbline bench …',
    );
  }
}
