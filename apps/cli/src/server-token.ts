import { readFile } from 'node:fs/promises';
import { environment } from '../../server/src/common/config/environment.config.js';
import { UsageError } from './cli-error.js';

/** The address of a running server, and the token for it. */
export interface ServerOptions {
  url: string;
  token?: string;
  tokenFile?: string;
}

/** The token from the options, otherwise from the environment. @throws UsageError */
export async function tokenOf({ token, tokenFile }: ServerOptions): Promise<string> {
  if (token !== undefined && tokenFile !== undefined) throw new UsageError('give --token or --token-file, not both');
  const found = tokenFile === undefined ? (token ?? environment().PLUMBLINE_TOKEN) : await readFile(tokenFile, 'utf8');
  if (found === undefined) throw new UsageError('a token is needed: --token-file, --token or PLUMBLINE_TOKEN');
  return found.trim();
}
