import { type InstallationSummary } from '../../../server/src/views/misc/installation-summary.types.js';
import { CliError, ExitCode } from '../cli-error.js';

/** A check of `/readyz`. */
export interface Check {
  name: string;
  ok: boolean;
  message: string | null;
}

const TIMEOUT_MS = 5000;

/** If the product listens on all interfaces, it is queried on this machine. */
export function localOrigin(host: string | undefined, port: number): string {
  const isAny = host === undefined || host === '0.0.0.0' || host === '::';
  const bare = isAny ? '127.0.0.1' : host;
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

/** @throws CliError, NotRunning if nothing listens there; BadInput if another program answers */
export async function readyChecks(origin: string): Promise<Check[]> {
  const url = `${origin}/readyz`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    if (cause === 'TimeoutError') return [{ name: 'management', ok: false, message: `${url} does not answer` }];
    throw new CliError(
      `Plumbline is not running: nothing answers at ${url} (${cause}). "plumbline serve" starts it; MANAGEMENT_PORT ` +
        'says where a running one answers',
      ExitCode.NotRunning,
    );
  }
  const checks: unknown = await answer.json().catch(() => null);
  if (Array.isArray(checks)) return checks as Check[];
  throw new CliError(
    `what answers at ${url} is not Plumbline: set MANAGEMENT_PORT as the server has it`,
    ExitCode.BadInput,
  );
}

/** @throws Error with the reason if the report cannot be created, for example without a database */
export async function installationSummary(origin: string): Promise<InstallationSummary> {
  const answer = await fetch(`${origin}/summary`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return (await answer.json()) as InstallationSummary;
}

/** The answer of the management port for a path, with any status. @throws TypeError if nothing listens there */
export async function managementText(origin: string, path: string): Promise<string> {
  const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return answer.text();
}
