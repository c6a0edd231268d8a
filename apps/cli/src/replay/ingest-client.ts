import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '#libs/protocols';
import { CliError } from '../cli-error.js';
import { unreachable } from '../server-token.js';

/** The points of one series in one request, as columns. */
export interface Batch {
  /** Unix seconds. */
  timestamps: number[];
  values: number[];
}

/** The outcome for the points of some requests. */
export interface Receipt {
  accepted: number;
  refused: number;
  /** Refused points, by reason. */
  reasons: Record<string, number>;
}

export interface IngestTarget {
  /** Base address of the server, for example http://localhost:3000 */
  url: string;
  token: string;
  metric: string;
  type: string;
  unit: string | undefined;
  /** True: history, which is learnt and never alerted. False: live data. */
  backfill: boolean;
}

export interface IngestClientDependencies {
  fetch: typeof fetch;
  /** Resolves after this many milliseconds; rejects if the signal is aborted. */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called before each wait for a busy or unreachable server. */
  onWait: (reason: string, seconds: number) => void;
}

const REQUEST_TIMEOUT_MS = 60_000;
/** Maximum wait for one request, seconds. Resending is harmless: the same points replace themselves. */
const TIMEOUT_SECONDS = 300;
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 60;
/**
 * Minimum wait before a retry, seconds. Also applies if the server requests no delay: retries without a pause do not
 * help.
 */
const MIN_WAIT_SECONDS = 0.1;
/** The only answers after which the same request is retried: ingestion is full, or the server is starting. */
const RETRIED_STATUS = new Set([429, 503]);

interface Report {
  accepted: number;
  refused: number;
  metrics?: { reasons?: Record<string, number> }[];
}

interface ErrorBody {
  error?: string;
  message?: string;
  details?: { field?: string; message?: string }[];
}

/** The error of the server in words: its message, its code, and its details about single fields. */
async function refusal(response: Response): Promise<CliError> {
  const text = await response.text();
  let body: ErrorBody = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // The answer comes from an intermediary such as a proxy; only its status is usable.
  }
  const details = (body.details ?? [])
    .map(({ field, message }) => `\n  ${field === undefined ? '' : `${field}: `}${message ?? ''}`)
    .join('');
  const reason = body.message ?? `${response.status} ${response.statusText}`.trim();
  return new CliError(`the server refused the points: ${reason} (${body.error ?? response.status})${details}`);
}

/** Sends points of one metric to POST /ingest/metrics of a server. */
export class IngestClient {
  constructor(
    private readonly target: IngestTarget,
    private readonly dependencies: IngestClientDependencies,
  ) {}

  /**
   * Sends one batch; waits and retries while the server is busy or unreachable.
   *
   * @throws CliError with the server's message if it refuses the request, or if the time is over
   */
  async send(batch: Batch, signal: AbortSignal): Promise<Receipt> {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(batch, signal);
      if ('receipt' in outcome) return outcome.receipt;
      const backOff = FIRST_WAIT_SECONDS * 2 ** (attempt - 1);
      const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(MIN_WAIT_SECONDS, outcome.waitSeconds ?? backOff));
      if (waited + seconds > TIMEOUT_SECONDS) {
        throw new CliError(`${outcome.reason}; gave up after ${attempt} tries in ${Math.round(waited)} s`);
      }
      waited += seconds;
      this.dependencies.onWait(outcome.reason, seconds);
      await this.dependencies.sleep(seconds * 1000, signal);
    }
  }

  private async attempt(
    batch: Batch,
    signal: AbortSignal,
  ): Promise<{ receipt: Receipt } | { reason: string; waitSeconds: number | null }> {
    const { url, token, metric, type, unit, backfill } = this.target;
    let response: Response;
    try {
      response = await this.dependencies.fetch(new URL('ingest/metrics', url.endsWith('/') ? url : `${url}/`), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-token': token },
        body: JSON.stringify({ backfill, metrics: [{ metric, type, unit, ...batch }] }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
    } catch (error) {
      signal.throwIfAborted();
      return { reason: unreachable(url, error), waitSeconds: null };
    }
    if (RETRIED_STATUS.has(response.status)) {
      await response.body?.cancel();
      return {
        reason: response.status === 429 ? 'the server accepts no more points at the moment' : 'the server is not ready',
        waitSeconds: readRetryAfter(response.headers.get('retry-after'), Date.now() / 1000),
      };
    }
    if (response.status === 204) return { receipt: { accepted: batch.timestamps.length, refused: 0, reasons: {} } };
    if (response.status !== 207) throw await refusal(response);
    const report = (await response.json()) as Report;
    const reasons: Record<string, number> = {};
    for (const row of report.metrics ?? []) {
      for (const [reason, count] of Object.entries(row.reasons ?? {})) reasons[reason] = (reasons[reason] ?? 0) + count;
    }
    return { receipt: { accepted: report.accepted, refused: report.refused, reasons } };
  }
}

/** Waits using the real clock. */
export const waitFor = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal });
};
