import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type BackupFile } from './backup-manifest.js';

const CHUNK_BYTES = 1_048_576;

export interface CopyOptions {
  /** The owner of the copy; undefined: the user of the process. */
  owner?: { uid: number; gid: number } | null;
  /** Receives the number of bytes of each piece that was copied. */
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Copies a file, readable by its owner only; the copy is on disk when the promise resolves. The size and the checksum
 * are those of the bytes that were written, also if the file changes in the meantime.
 * @throws the error of the system, `ENOENT` if the file no longer exists
 */
export async function copyFile(
  from: string,
  to: string,
  { owner, onBytes, signal }: CopyOptions = {},
): Promise<Omit<BackupFile, 'path'>> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      let bytes = 0;
      for (;;) {
        signal?.throwIfAborted();
        const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, bytes);
        if (bytesRead === 0) break;
        const piece = buffer.subarray(0, bytesRead);
        hash.update(piece);
        await writeWhole(target, piece, bytes);
        bytes += bytesRead;
        onBytes?.(bytesRead);
      }
      if (owner) await target.chown(owner.uid, owner.gid);
      await target.sync();
      return { bytes, sha256: hash.digest('hex') };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

type File = Awaited<ReturnType<typeof open>>;

async function writeWhole(file: File, piece: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < piece.length) {
    const { bytesWritten } = await file.write(piece, written, piece.length - written, position + written);
    written += bytesWritten;
  }
}

/**
 * Runs `work` on all items, some of them concurrently: most files are small, and each waits for the disk. After a
 * failure, no more items are started, and it rejects when all started ones have ended.
 */
export async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>, atOnce = 8): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) {
      try {
        await work(items[next++]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, run));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
