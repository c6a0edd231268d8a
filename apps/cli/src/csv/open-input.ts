import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CliError, UsageError } from '../cli-error.js';

export interface OpenInput {
  stream: AsyncIterable<Buffer | string>;
  /** Its name in messages. */
  source: string;
  /** Null for standard input. */
  sizeBytes: number | null;
}

/** Opens a file, or standard input for `-`. */
export async function openInput(file: string, stdin: AsyncIterable<Buffer | string>): Promise<OpenInput> {
  if (file === '-') return { stream: stdin, source: 'standard input', sizeBytes: null };
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new UsageError(`${file} is a folder, not a CSV file`);
    return { stream: createReadStream(file), source: file, sizeBytes: found.size };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** The reason for a file system error, in words. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file or folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOSPC') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}
