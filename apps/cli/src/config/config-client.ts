import { CliError, ExitCode } from '../cli-error.js';
import { environment } from '../../../server/src/common/config/environment.config.js';
import { type ServerOptions, tokenOf, unreachable } from '../server-token.js';
import { type Terminal } from '../terminal.js';
import { type ConfigText, readConfigFiles } from './config-files.js';

export interface ApplyOptions extends ServerOptions {
  file: string;
  dryRun?: true;
  prune?: true;
}

interface Change {
  kind: string;
  name: string;
  action: 'created' | 'updated' | 'unchanged' | 'removed';
  diff: string;
}

interface Refusal {
  message?: string;
  error?: { details?: readonly { message: string }[] };
}

/** Applying a document with hundreds of objects takes a while. */
const TIMEOUT_MS = 300_000;
const SIGNS = { created: '+', updated: '~', unchanged: '=', removed: '-' } as const;

/** Applies files through the API. @throws CliError with file and line */
export async function applyConfig(options: ApplyOptions, terminal: Terminal): Promise<void> {
  const text = await readConfigFiles(options.file, environment());
  const { dryRun = false, prune = false } = options;
  const body = { document: text.document, dry_run: dryRun, prune };
  const { changes } = (await call(options, 'POST', '/api/config/apply', body, text)) as { changes: Change[] };
  for (const { kind, name, action, diff } of changes) {
    if (action === 'unchanged') continue;
    terminal.out(`${SIGNS[action]} ${kind} ${name}\n`);
    for (const line of diff.split('\n').filter((one) => one !== '')) terminal.out(`    ${line}\n`);
  }
  const count = (action: Change['action']): string => String(changes.filter((one) => one.action === action).length);
  const sums = (['created', 'updated', 'removed', 'unchanged'] as const).map((action) => `${count(action)} ${action}`);
  terminal.out(`${sums.join(', ')}${dryRun ? ' (dry run: nothing was changed)' : ''}\n`);
}

/** Writes the configuration to the output. @throws CliError */
export async function exportConfig(options: ServerOptions & { format: string }, terminal: Terminal): Promise<void> {
  const path = `/api/config/export?format=${encodeURIComponent(options.format)}`;
  const { document } = (await call(options, 'GET', path)) as { document: string };
  terminal.out(document.endsWith('\n') ? document : `${document}\n`);
}

async function call(
  options: ServerOptions,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  text?: ConfigText,
): Promise<unknown> {
  const headers: Record<string, string> = { 'X-Auth-Token': await tokenOf(options), Accept: 'application/json' };
  if (body) headers['Content-Type'] = 'application/json';
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    answer = await fetch(new URL(path, options.url), {
      method,
      headers,
      signal,
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new CliError(unreachable(options.url, error));
  }
  const { data } = (await answer.json().catch(() => ({}))) as { data?: unknown };
  if (answer.ok) return data;
  const { message = `the server answers ${String(answer.status)}`, error } = (data ?? {}) as Refusal;
  const problems = (error?.details ?? []).map((detail) => placed(detail.message, text));
  const isInput = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  const reasons = problems.length > 0 ? problems.join('\n  ') : placed(message, text);
  throw new CliError(reasons, isInput ? ExitCode.BadInput : ExitCode.Failed);
}

/** Converts `line 12: …` of the document to file and line. */
function placed(message: string, text: ConfigText | undefined): string {
  const found = /^line (\d+): /.exec(message);
  if (!found || !text) return message;
  return `${text.placeOf(Number(found[1]))}: ${message.slice(found[0].length)}`;
}
