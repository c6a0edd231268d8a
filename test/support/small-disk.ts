import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHUNKS = [1 << 20, 1 << 12];

export interface SmallDisk {
  /** The mount point. */
  folder: string;
  /** Uses up all free space. */
  fill(): Promise<void>;
  /** Frees the space that `fill` has used. */
  free(): Promise<void>;
  /** Unmounts the file system. */
  dispose(): Promise<void>;
}

/** A separate file system that can be filled without harm to others. Linux; needs root. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m,mode=0755`, 'plumbline-test', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (const size of CHUNKS) {
          const chunk = Buffer.alloc(size);
          // A write at the end of the disk may be partial before one fails.
          while (await file.write(chunk).then(({ bytesWritten }) => bytesWritten === size, isFull));
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async dispose() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isFull(error: unknown): false {
  if ((error as { code?: unknown }).code === 'ENOSPC') return false;
  throw error;
}
