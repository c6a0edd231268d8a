import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** Longer than the product waits for its database. */
const TIMEOUT_MS = 90_000;

/** Where a program runs: on this machine, or in a network namespace that simulates another host. */
export interface Place {
  /** The address on which the program listens. */
  address: string;
  /** A program and arguments to put before the command. */
  enter: readonly string[];
}

export const HERE: Place = { address: '127.0.0.1', enter: [] };

/** Like `startProgram`, at a place. */
export function startProgramAt(
  { enter }: Place,
  ...[command, args, ...others]: Parameters<typeof startProgram>
): ChildProcess {
  const [first, ...following] = [...enter, command, ...args];
  return startProgram(first!, following, ...others);
}

/**
 * Starts and records a program for a test: a program that a failed test leaves running is ended with the run
 * (left-programs.mjs).
 * @param dataFolder folder of an embedded database of the program, which survives a kill of the program
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
    // A killed program has left its database running.
    child.once('exit', (_code, signal) => {
      if (dataFolder === undefined || signal === null) rmSync(record, { force: true });
    });
  }
  return child;
}

/**
 * Ends a program and resolves with its exit code (null after a signal) once it has ended. A program that does not end
 * by `signal` is killed, and the promise rejects.
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

/** Whether a program accepts connections at the address. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
