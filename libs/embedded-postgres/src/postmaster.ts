import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from './cluster.js';

/** The content of postmaster.pid about the server that runs, or ran, on a cluster. */
export interface Postmaster {
  pid: number;
  port: number;
  isReady: boolean;
  /** `gone`: there is no such process. `other`: another process has this number. */
  process: 'running' | 'gone' | 'other';
  /** The whole file: another server writes a different one. */
  record: string;
}

const run = promisify(execFile);

/** The server on a cluster; null if none is recorded. A record may be left over from a server that was killed. */
export async function readPostmaster(folder: string): Promise<Postmaster | null> {
  let record: string;
  try {
    record = await readFile(join(folder, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = record.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const isReady = lines[7]?.trim() === 'ready';
  const is = (state: Postmaster['process']): Postmaster => ({ pid, port, isReady, process: state, record });
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return is('gone');
  if (await servesFolder(pid, folder)) return is('running');
  // If the process has ended in the meantime, its number is not yet reused; a process that waits to be reaped still has
  // it.
  return is(isAlive(pid) ? 'other' : 'gone');
}

/** A postmaster's working directory is its cluster, from before it writes its file until it ends. */
async function servesFolder(pid: number, folder: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      return (await readlink(`/proc/${String(pid)}/cwd`)) === (await realpath(folder));
    }
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes(folder);
  } catch {
    // The process has just ended, or belongs to a user whose processes cannot be inspected: not this server.
    return false;
  }
}
