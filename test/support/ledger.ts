import { gzipSync } from 'node:zlib';
import { type ProductClient, until } from './product.js';

const MINUTE = 60;
const DAY = 86_400;
/** Longest wait before a body is sent again: a test does not wait as long as a real sender would. */
const MAX_TIMEOUT_MS = 2000;

/** State of a body in the ledger. */
const UNSENT = 0;
const UNCERTAIN = 1;
const ACKNOWLEDGED = 2;

export interface LedgerPlan {
  /** First part of the names of all metrics. */
  prefix: string;
  /** Senders at the same time, each with metrics and one connection of its own. */
  lanes: number;
  metricsPerLane: number;
  /** Slots of every metric in one body. */
  slotsPerBody: number;
  /** After so many slots a lane goes on with new metrics. */
  slots: number;
  /** Slots at which every metric misbehaves; an anomaly is expected to begin with the first. Null: none does. */
  trouble: { from: number; until: number } | null;
  /** Unix seconds of the first slot, on a whole minute. */
  firstSlot: number;
  /** False sends points of now: the slots must then be within the last hour. */
  isHistory: boolean;
  /** Sends every body a second time, at the same moment or later. */
  repeats: boolean;
  /** Pause after each body, milliseconds; what is left at the end is sent without. */
  pauseMs: number;
}

/** Answers by status, 0 for a connection that broke. */
export type Answers = Map<number, number>;

/** The metrics that a lane sends at a time, and what became of their bodies. */
interface Page {
  names: string[];
  /** Seed of the values. */
  first: number;
  /** State by body. */
  bodies: Uint8Array;
  /** Unix milliseconds by body. */
  acknowledgedAt: Float64Array;
}

/** What a service that hums along would report, with one outburst; the same at every run, with at most three decimals. */
function valueOf(plan: LedgerPlan, metric: number, slot: number): number {
  if (plan.trouble && slot >= plan.trouble.from && slot < plan.trouble.until) return 900 + (metric % 50);
  const noise = Math.abs(Math.sin((slot + 1) * 12.9898 + metric * 78.233) * 43_758.5453) % 1;
  return Math.round((100 + (metric % 50) + 3 * noise) * 1000) / 1000;
}

/**
 * Senders that write down what they sent and what was acknowledged, and compare it with what can be read. A body that
 * was not acknowledged is sent again until it is, as the senders of the field do; after `finish` nothing is uncertain.
 * Lanes take turns in protocol: JSON columns, line protocol, line protocol with gzip.
 */
export class Ledger {
  readonly answers: Answers = new Map();
  /** Answers 429 and 503 without Retry-After; must stay empty. */
  readonly impolite: string[] = [];
  /** Answers that no sender may get for these bodies. */
  readonly refusals: string[] = [];
  acknowledgedBodies = 0;
  /** Unix milliseconds of the last acknowledgement. */
  lastAcknowledgedAt = 0;
  private readonly plan: LedgerPlan;
  private readonly pages: Page[][] = [];
  private running: Promise<void>[] = [];
  private isOver = false;
  private isAbandoned = false;

  constructor(
    private readonly product: Pick<ProductClient, 'url' | 'api'>,
    private readonly token: string,
    plan: Partial<LedgerPlan> & Pick<LedgerPlan, 'prefix'>,
  ) {
    const defaults = {
      lanes: 3,
      metricsPerLane: 25,
      slotsPerBody: 20,
      slots: 1440,
      trouble: { from: 1000, until: 1020 },
      firstSlot: Math.floor((Date.now() / 1000 - 3 * DAY) / MINUTE) * MINUTE,
      isHistory: true,
      repeats: false,
      pauseMs: 5,
    };
    this.plan = { ...defaults, ...plan };
  }

  start(): this {
    this.running = Array.from({ length: this.plan.lanes }, (_, lane) => this.sendLane(lane));
    // Looked at by `finish`; until then a failure is not unhandled.
    for (const lane of this.running) lane.catch(() => undefined);
    return this;
  }

  /** Ends the senders when each has sent its metrics to the end; every body is then acknowledged. */
  async finish(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  /** Ends the senders at once, whatever is on its way. */
  async abandon(): Promise<void> {
    this.isOver = true;
    this.isAbandoned = true;
    await Promise.allSettled(this.running);
  }

  /** Waits for so many more acknowledged bodies. */
  async progress(bodies: number, timeoutMs = 60_000): Promise<void> {
    const goal = this.acknowledgedBodies + bodies;
    await until(
      `${String(bodies)} bodies to be acknowledged (answers: ${JSON.stringify([...this.answers])})`,
      async () => (this.acknowledgedBodies >= goal ? true : undefined),
      { timeoutMs, everyMs: 10 },
    );
  }

  get points(): number {
    return this.acknowledgedBodies * this.plan.metricsPerLane * this.plan.slotsPerBody;
  }

  /**
   * Waits until everything acknowledged can be read with the value that was sent, then says what differs: points that
   * are missing or altered, and points that were not sent. Empty when the ledger and the store agree.
   */
  async differences(readToken: string, timeoutMs = 180_000): Promise<string[]> {
    const metrics = this.pages.flat().flatMap((page) => page.names.map((name, index) => ({ page, name, index })));
    const deadline = Date.now() + timeoutMs;
    const found: string[] = [];
    for (const { page, name, index } of metrics) {
      let problems: string[] = [];
      await until(
        `the points of ${name}`,
        async () => {
          problems = this.compare(page, index, await this.stored(name, readToken));
          return problems.length === 0 ? true : undefined;
        },
        { timeoutMs: Math.max(0, deadline - Date.now()), everyMs: 250 },
      ).catch((error: unknown) => {
        const shown = problems.length > 0 ? problems : [String(error)];
        found.push(`${name}: ${String(shown.length)} problems, ${shown.slice(0, 3).join('; ')}`);
      });
      if (found.length >= 20) break;
    }
    return found;
  }

  /**
   * Waits until each outburst has its one anomaly (points can be read before they are judged), then answers those that no
   * anomaly, or more than one, begins with, and anomalies of the ledger's metrics that are there twice.
   */
  async anomalyProblems(readToken: string, timeoutMs = 60_000): Promise<string[]> {
    let problems: string[] = [];
    await until(
      'each outburst to have its one anomaly',
      async () => {
        problems = await this.anomalyProblemsNow(readToken);
        return problems.length === 0 ? true : undefined;
      },
      { timeoutMs, everyMs: 250 },
    ).catch((error: unknown) => {
      if (problems.length === 0) throw error;
    });
    return problems;
  }

  private async anomalyProblemsNow(readToken: string): Promise<string[]> {
    const counts = new Map<string, number>();
    const from = this.plan.firstSlot - MINUTE;
    for (let offset = 0, total = 1; offset < total; offset += 1000) {
      const page = (await this.product.api(
        `/anomalies?from=${String(from)}&limit=1000&offset=${String(offset)}`,
        readToken,
      )) as { total: number; anomalies: { metric: string; timestamp: number }[] };
      total = page.total;
      for (const { metric, timestamp } of page.anomalies) {
        const key = `${metric}@${String(timestamp)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const twice = [...counts].filter(([, count]) => count > 1).map(([key]) => `${key} is there twice`);
    if (this.plan.trouble === null) return twice;
    const start = this.plan.firstSlot + this.plan.trouble.from * MINUTE;
    const names = this.pages.flat().flatMap((page) => page.names);
    const unseen = names.filter((name) => !counts.has(`${name}@${String(start)}`));
    return [...twice, ...unseen.map((name) => `${name} has no anomaly at ${String(start)}`)];
  }

  private async sendLane(lane: number): Promise<void> {
    const { metricsPerLane, slots, slotsPerBody, prefix, lanes, repeats, pauseMs } = this.plan;
    const pages: Page[] = (this.pages[lane] = []);
    do {
      const page: Page = {
        names: Array.from(
          { length: metricsPerLane },
          (_, i) => `${prefix}.lane-${String(lane)}.page-${String(pages.length)}.metric-${String(i)}`,
        ),
        first: (pages.length * lanes + lane) * metricsPerLane,
        bodies: new Uint8Array(slots / slotsPerBody).fill(UNSENT),
        acknowledgedAt: new Float64Array(slots / slotsPerBody),
      };
      pages.push(page);
      for (let body = 0; body < page.bodies.length && !this.isAbandoned; body++) {
        const send = () => this.deliver(lane, page, body);
        if (repeats && body > 0) {
          // The body before once more, while this one is on its way; then this one a second time.
          await Promise.all([send(), this.deliver(lane, page, body - 1)]);
          await send();
        } else {
          await send();
        }
        if (pauseMs > 0 && !this.isOver) await pause(pauseMs);
      }
    } while (!this.isOver);
  }

  /** Sends a body until it is acknowledged. */
  private async deliver(lane: number, page: Page, body: number): Promise<void> {
    if (page.bodies[body] === UNSENT) page.bodies[body] = UNCERTAIN;
    while (!this.isAbandoned) {
      const answer = await this.post(lane, page, body).catch(() => null);
      const status = answer?.status ?? 0;
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status === 204) {
        page.bodies[body] = ACKNOWLEDGED;
        page.acknowledgedAt[body] = Date.now();
        this.acknowledgedBodies++;
        this.lastAcknowledgedAt = Date.now();
        return;
      }
      const text = answer === null ? '' : await answer.text().catch(() => '');
      if (status !== 0 && status !== 429 && status !== 503) {
        this.refusals.push(`${String(status)}: ${text}`);
        throw new Error(`A body of the ledger was answered ${String(status)}: ${text}`);
      }
      const after = answer?.headers.get('retry-after');
      if (answer !== null && !/^\d+$/.test(after ?? '')) this.impolite.push(`${String(status)}: ${text}`);
      await pause(Math.min(MAX_TIMEOUT_MS, after ? 1000 * Number(after) : 200));
    }
  }

  private async post(lane: number, page: Page, body: number): Promise<Response> {
    const { slotsPerBody, firstSlot, isHistory } = this.plan;
    const slots = Array.from({ length: slotsPerBody }, (_, i) => body * slotsPerBody + i);
    const timestamps = slots.map((slot) => firstSlot + slot * MINUTE);
    const series = page.names.map((metric, index) => ({
      metric,
      timestamps,
      values: slots.map((slot) => valueOf(this.plan, page.first + index, slot)),
    }));
    const headers: Record<string, string> = { 'X-Auth-Token': this.token };
    if (isHistory) headers['X-Backfill'] = 'true';
    if (lane % 3 === 0) {
      headers['Content-Type'] = 'application/json';
      return this.request('/ingest/metrics', headers, JSON.stringify({ metrics: series }));
    }
    const lines = series.flatMap(({ metric, values }) =>
      values.map((value, i) => `${metric} value=${String(value)} ${String(timestamps[i])}\n`),
    );
    headers['Content-Type'] = 'text/plain';
    if (lane % 3 === 1) return this.request('/write?precision=s', headers, lines.join(''));
    headers['Content-Encoding'] = 'gzip';
    return this.request('/api/v2/write?precision=s', headers, gzipSync(lines.join('')));
  }

  private request(
    path: string,
    headers: Record<string, string>,
    body: string | Buffer<ArrayBuffer>,
  ): Promise<Response> {
    return fetch(`${this.product.url}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(30_000),
    });
  }

  private compare(page: Page, index: number, stored: ReadonlyMap<number, number>): string[] {
    const { slotsPerBody, firstSlot } = this.plan;
    const problems: string[] = [];
    let known = 0;
    page.bodies.forEach((state, body) => {
      for (let slot = body * slotsPerBody; slot < (body + 1) * slotsPerBody; slot++) {
        const timestamp = firstSlot + slot * MINUTE;
        const value = stored.get(timestamp);
        const sent = valueOf(this.plan, page.first + index, slot);
        if (value !== undefined) known++;
        if (value === undefined ? state === ACKNOWLEDGED : state === UNSENT || value !== sent) {
          const at = state === ACKNOWLEDGED ? new Date(page.acknowledgedAt[body]!).toISOString() : 'never';
          problems.push(
            `slot ${String(slot)} was sent as ${String(sent)}, acknowledged ${at}, and is ${String(value)}`,
          );
        }
      }
    });
    if (known !== stored.size) problems.push(`${String(stored.size - known)} points were never sent`);
    return problems;
  }

  private async stored(name: string, readToken: string): Promise<Map<number, number>> {
    const { firstSlot, slots } = this.plan;
    const window = `from=${String(firstSlot)}&until=${String(firstSlot + slots * MINUTE)}`;
    const path = `/metric/${name}/timeseries?${window}&resolution=60&max_points=10000&fill=none`;
    const { points } = (await this.product.api(path, readToken)) as { points: [number, number][] };
    return new Map(points);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((next) => setTimeout(next, milliseconds));
}
