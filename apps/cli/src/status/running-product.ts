import { CliError, ExitCode } from '../cli-error.js';

/** A check of `/readyz`. */
export interface Check {
  name: string;
  ok: boolean;
  message: string | null;
}

/** What the process says of itself; null where a process without the role `api` does not answer. */
export interface Announcement {
  state: string;
  version: string;
  uptimeSeconds: number;
}

const PATIENCE_MS = 5000;

/** An address that listens on all interfaces is asked on this machine. */
export function localOrigin(host: string | undefined, port: number): string {
  const isAny = host === undefined || host === '0.0.0.0' || host === '::';
  const bare = isAny ? '127.0.0.1' : host;
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

/** @throws CliError, NotRunning, when nothing listens there; BadInput, when what answers is another program */
export async function readyChecks(origin: string): Promise<Check[]> {
  const url = `${origin}/readyz`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
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

/** From `GET /api/status`, which anyone may ask. */
export async function announcement(origin: string): Promise<Announcement | null> {
  try {
    const answer = await fetch(`${origin}/api/status`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { data } = (await answer.json()) as { data: { state: string; version: string; uptime_seconds: number } };
    return { state: data.state, version: data.version, uptimeSeconds: data.uptime_seconds };
  } catch {
    return null;
  }
}
