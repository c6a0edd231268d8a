import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** Longer than the product waits for its database. */
const TIMEOUT_MS = 90_000;

/** Where a program runs: on this machine, or in a network namespace that stands for another one. */
export interface Place {
  /** That it listens on. */
  address: string;
  /** Program and arguments that come before those of the program itself. */
  enter: readonly string[];
}

export const HERE: Place = { address: '127.0.0.1', enter: [] };

/** As `startProgram`, at a place. */
export function startProgramAt(
  { enter }: Place,
  ...[command, args, ...others]: Parameters<typeof startProgram>
): ChildProcess {
  const [first, ...following] = [...enter, command, ...args];
  return startProgram(first!, following, ...others);
}

/**
 * Starts a program for a test, on record: whatever a failed test leaves running is ended at the end of the run
 * (left-programs.mjs), so that nothing waits for it.
 * @param dataFolder where the program keeps an embedded database, which outlives a kill of the program
 */
export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  dataFolder?: string,
): ChildProcess {
  const child = spawn(command, args, options);
  const folder = process.env.PLUMBLINE_TEST_PROGRAMS;
  if (folder !== undefined && child.pid !== undefined) {
    const record = join(folder, String(child.pid));
    writeFileSync(record, dataFolder ?? '');
    // A killed one has left its database.
    child.once('exit', (_code, signal) => {
      if (dataFolder === undefined || signal === null) rmSync(record, { force: true });
    });
  }
  return child;
}

/**
 * Ends a program and resolves with its exit code (null after a signal) when it is gone. One that does not end by `signal`
 * is killed, and that is an error.
 */
export async function endProgram(
  child: ChildProcess | undefined,
  { signal = 'SIGTERM', timeoutMs = TIMEOUT_MS }: { signal?: NodeJS.Signals; timeoutMs?: number } = {},
): Promise<number | null> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.kill(signal);
  const [code, endedBy] = await exited;
  clearTimeout(killTimer);
  if (signal !== 'SIGKILL' && endedBy === 'SIGKILL') {
    throw new Error(
      `${child.spawnargs.join(' ')} did not end by ${signal} within ${String(timeoutMs)} ms: it was killed`,
    );
  }
  return code;
}

/** Whether a program takes connections there. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
