import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

export interface StepClock {
  /** Environment of the process with this clock. */
  env: Record<string, string>;
  /** Sets the clock this many seconds ahead of the real one, or behind it if negative. */
  set(seconds: number): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * A wall clock for one process that can be set while it runs, by Debian's libfaketime. The monotonic clock is not
 * affected.
 */
export async function stepClock(): Promise<StepClock> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-clock-'));
  const file = join(folder, 'offset');
  async function set(seconds: number): Promise<void> {
    // Renamed, so that the process never reads half of it.
    await writeFile(`${file}.new`, `${seconds < 0 ? '-' : '+'}${String(Math.abs(seconds))}s\n`);
    await rename(`${file}.new`, file);
  }
  await set(0);
  return {
    env: {
      LD_PRELOAD: await findLibrary(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

async function findLibrary(): Promise<string> {
  for (const platform of await readdir(LIBRARIES)) {
    const folder = join(LIBRARIES, platform, 'faketime');
    const names = await readdir(folder).catch(() => []);
    const name = names.find((one) => one.startsWith('libfaketimeMT.so'));
    if (name !== undefined) return join(folder, name);
  }
  throw new Error('libfaketime is not installed: bash scripts/install-test-services.sh');
}
