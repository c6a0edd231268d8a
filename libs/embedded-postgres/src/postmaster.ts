import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from './cluster.js';

/** What postmaster.pid says of the server that runs, or ran, on a cluster. */
export interface Postmaster {
  pid: number;
  port: number;
  isReady: boolean;
  /** `gone`: there is no such process. `other`: the number belongs to a process that is not this server. */
  process: 'running' | 'gone' | 'other';
}

const run = promisify(execFile);

/** The server on a cluster; null when none is recorded. A record may be left over from a server that was killed. */
export async function readPostmaster(folder: string): Promise<Postmaster | null> {
  let lines: string[];
  try {
    lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const isReady = lines[7]?.trim() === 'ready';
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return { pid, port, isReady, process: 'gone' };
  return { pid, port, isReady, process: (await servesFolder(pid, folder)) ? 'running' : 'other' };
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
    // The process has just ended, or belongs to a user whose processes we cannot look into: not our server.
    return false;
  }
}
