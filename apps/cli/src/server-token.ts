import { readFile } from 'node:fs/promises';
import { environment } from '../../server/src/common/config/environment.config.js';
import { UsageError } from './cli-error.js';
import { reasonOf } from './csv/open-input.js';

/** The address of a running server, and the token for it. */
export interface ServerOptions {
  url: string;
  token?: string;
  tokenFile?: string;
}

/** The token from the options, otherwise from the environment. @throws UsageError */
export async function tokenOf({ token, tokenFile }: ServerOptions): Promise<string> {
  if (token !== undefined && tokenFile !== undefined) throw new UsageError('give --token or --token-file, not both');
  const found = tokenFile === undefined ? (token ?? environment().PLUMBLINE_TOKEN) : await contentOf(tokenFile);
  if (found === undefined) throw new UsageError('a token is needed: --token-file, --token or PLUMBLINE_TOKEN');
  return found.trim();
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--token-file ${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** Why a request got no answer, with the remedy. */
export function unreachable(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  const reason = typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause);
  return `${url} cannot be reached (${reason}); start the server there, or name its address with --url`;
}
