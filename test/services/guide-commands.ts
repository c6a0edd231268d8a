import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The commands of a guide, one item for each block. */
export function commandsOf(guide: string): string[] {
  const text = readFileSync(join(import.meta.dirname, `../../docs/guide/${guide}.md`), 'utf8');
  const blocks = text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm);
  return [...blocks].map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** Prints the answer and its status after each command. */
const CURL = `curl() { command curl --silent --show-error --write-out '\\n%{http_code}\\n' "$@"; }`;

/** Runs commands in a shell; returns the output and the statuses of the answers in order. */
export async function paste(
  commands: string,
  options: { env: NodeJS.ProcessEnv; cwd?: string },
): Promise<{ stdout: string; statuses: string[] }> {
  const { stdout } = await run('bash', ['-euc', `${CURL}\n${commands}`], options);
  return { stdout, statuses: stdout.match(/^\d{3}$/gm) ?? [] };
}
