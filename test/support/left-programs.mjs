import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const POLL_MS = 50;

/**
 * Ends the programs that tests have left running, first by SIGTERM and then by SIGKILL, with their embedded databases.
 * @param {string} folder has a file for each program, named after its process id; it contains the data folder or
 * nothing
 * @param {{ timeoutMs?: number }} options
 * @returns {Promise<number[]>} the process ids of those that were still running
 */
export async function endLeftPrograms(folder, { timeoutMs = 20_000 } = {}) {
  const records = (await readdir(folder)).map(Number);
  const left = records.filter(isAlive);
  for (const pid of left) signal(pid, 'SIGTERM');
  const giveUpAt = Date.now() + timeoutMs;
  while (left.some(isAlive) && Date.now() < giveUpAt) await new Promise((next) => setTimeout(next, POLL_MS));
  for (const pid of left) signal(pid, 'SIGKILL');
  for (const pid of records) {
    const dataFolder = await readFile(join(folder, String(pid)), 'utf8').catch(() => '');
    if (dataFolder === '') continue;
    const record = await readFile(join(dataFolder, 'postgres/cluster/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(record.split('\n')[0]);
    if (postmaster > 0) signal(postmaster, 'SIGQUIT');
    // The server may still write for a moment. The folder is temporary anyway.
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
  await rm(folder, { recursive: true, force: true });
  return left;
}

function isAlive(pid) {
  return signal(pid, 0);
}

/** Returns false if there is no such process. */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
