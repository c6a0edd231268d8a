import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { UsageError } from './cli-error.js';
import { type Terminal } from './terminal.js';

const GENERATED_PASSWORD_BYTES = 15;

/** A password for a user; states whether it was generated and must be shown. */
export interface PasswordInput {
  password: string;
  isGenerated: boolean;
}

/** The first line of standard input, or a generated password. */
export async function passwordInput(isOnStdin: boolean, stdin: Terminal['stdin']): Promise<PasswordInput> {
  if (isOnStdin) return { password: await readPassword(stdin), isGenerated: false };
  return { password: randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url'), isGenerated: true };
}

/** Shows a generated password, once only. */
export function showPassword({ password, isGenerated }: PasswordInput, terminal: Terminal): void {
  if (!isGenerated) return;
  terminal.out(`Password: ${password}\n`);
  terminal.err('The password is shown only once; only its hash is stored.\n');
}

async function readPassword(stdin: Terminal['stdin']): Promise<string> {
  for await (const line of createInterface({ input: Readable.from(stdin), crlfDelay: Infinity })) {
    if (line !== '') return line;
    break;
  }
  throw new UsageError('--password-stdin: standard input holds no password in its first line');
}
