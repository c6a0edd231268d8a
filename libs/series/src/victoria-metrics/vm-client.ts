import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Endpoints, endpointsOf, urlOfTenant, type VictoriaMetricsAddress } from './vm-address.js';

const compress = promisify(gzip);
const FAST = { level: 1 };
/** Maximum size of the uncompressed text of one import. */
const IMPORT_CHARACTERS = 8_000_000;
/** Time until a cluster makes data readable, with a second to spare. */
const READABLE_MS = 2000;
const READ_MS = 60_000;
const WRITE_MS = 60_000;
const MAX_ERROR_CHARACTERS = 300;
/** The end of the year 9999, the latest time that a series store accepts. */
const LATEST = 253_402_300_799;

/** Samples of one series. */
export interface SampleLine {
  metric: Record<string, string>;
  /** Unix milliseconds, ascending. */
  timestamps: number[];
  values: number[];
}

/** A series as it is returned: a value that is not a finite number is null or a text. */
export interface ExportedLine {
  metric: Record<string, string>;
  timestamps: number[];
  values: unknown[];
}

/** VictoriaMetrics did not execute a request. The message contains no credentials. */
export class VictoriaMetricsError extends Error {
  constructor(
    message: string,
    /** Status of its answer; null if there was none. */
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'VictoriaMetricsError';
  }
}

interface RequestContent {
  body?: NonNullable<RequestInit['body']>;
  headers?: Record<string, string>;
}

/** The part of the HTTP API of VictoriaMetrics that series need. Every method throws VictoriaMetricsError. */
export class VictoriaMetricsClient {
  private readonly endpoints: Endpoints;

  constructor(
    address: VictoriaMetricsAddress,
    private readonly closing: AbortSignal = new AbortController().signal,
  ) {
    this.endpoints = endpointsOf(address);
  }

  get isByTenant(): boolean {
    return this.endpoints.isByTenant;
  }

  /** Readable a second or two later; on disk some seconds after that. */
  async import(org: number, lines: readonly SampleLine[]): Promise<void> {
    let text: string[] = [];
    let length = 0;
    const send = async (): Promise<void> => {
      const body = await compress(text.join('\n'), FAST);
      text = [];
      length = 0;
      await this.request('import', urlOfTenant(this.endpoints.importUrl, org), 'write', {
        body,
        headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' },
      });
    };
    for (const line of lines) {
      const json = JSON.stringify(line);
      text.push(json);
      length += json.length;
      if (length >= IMPORT_CHARACTERS) await send();
    }
    if (text.length > 0) await send();
  }

  /** All samples of the selected series between two times in Unix seconds, both inclusive. */
  async export(org: number, selector: string, from: number, until: number): Promise<ExportedLine[]> {
    const body = new URLSearchParams({
      'match[]': selector,
      start: String(Math.max(0, Math.ceil(from))),
      // All samples of a slot are within its first second.
      end: (Math.min(LATEST, Math.floor(until)) + 0.999).toFixed(3),
    });
    const text = await this.request('export', urlOfTenant(this.endpoints.exportUrl, org), 'read', { body });
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ExportedLine);
  }

  /** The result of a MetricsQL query at a time: the value of each series. */
  async query(org: number, query: string, time: number): Promise<{ metric: Record<string, string>; value: number }[]> {
    const body = new URLSearchParams({ query, time: String(time), nocache: '1' });
    const text = await this.request('query', urlOfTenant(this.endpoints.queryUrl, org), 'read', { body });
    const { data } = JSON.parse(text) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  async deleteSeries(org: number, selector: string): Promise<void> {
    const body = new URLSearchParams({ 'match[]': selector });
    await this.request('delete', urlOfTenant(this.endpoints.deleteUrl, org), 'read', { body });
  }

  /** Resolves when imported data is readable. A cluster cannot report this, and takes a second. */
  async flush(): Promise<void> {
    if (this.endpoints.flushUrl === null) await sleep(READABLE_MS, undefined, { signal: this.closing });
    else await this.request('flush', this.endpoints.flushUrl, 'write', {});
  }

  /** Sends a query without cost. */
  async check(): Promise<void> {
    await this.query(0, '1', Math.floor(Date.now() / 1000));
  }

  /**
   * Flags of a single server that differ from their defaults, by name; null for a cluster, or if it does not report
   * them.
   */
  async flags(): Promise<Map<string, string> | null> {
    if (this.endpoints.flagsUrl === null) return null;
    try {
      const text = await this.request('flags', this.endpoints.flagsUrl, 'write', {});
      const flags = new Map<string, string>();
      for (const line of text.split('\n')) {
        const [name, ...rest] = line.split('=');
        if (!name?.startsWith('-')) continue;
        const value = rest.join('=').trim();
        flags.set(name.slice(1), value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value);
      }
      return flags;
    } catch (error) {
      if (error instanceof VictoriaMetricsError && error.status !== null) return null;
      throw error;
    }
  }

  private async request(what: string, url: string, side: 'read' | 'write', init: RequestContent): Promise<string> {
    this.closing.throwIfAborted();
    const authorization = this.endpoints.authorization[side];
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([this.closing, AbortSignal.timeout(side === 'read' ? READ_MS : WRITE_MS)]),
        ...init,
        headers: { ...init.headers, ...(authorization === null ? {} : { Authorization: authorization }) },
      });
      const text = await answer.text();
      if (answer.ok) return text;
      const detail = text.trim().slice(0, MAX_ERROR_CHARACTERS);
      throw new VictoriaMetricsError(
        `VictoriaMetrics answered ${String(answer.status)} to ${what} (${url}): ${detail}`,
        answer.status,
      );
    } catch (error) {
      this.closing.throwIfAborted();
      if (error instanceof VictoriaMetricsError) throw error;
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      throw new VictoriaMetricsError(`VictoriaMetrics cannot be reached for ${what} (${url}): ${reason}`, null, {
        cause: error,
      });
    }
  }
}
