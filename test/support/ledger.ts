import { gzipSync } from 'node:zlib';
import { type ProductClient, until } from './product.js';

const MINUTE = 60;
const DAY = 86_400;
/** Longest wait before a body is resent. It is shorter than that of real senders to save time. */
const MAX_TIMEOUT_MS = 2000;

/** State of a body in the ledger. */
const UNSENT = 0;
const UNCERTAIN = 1;
const ACKNOWLEDGED = 2;

export interface LedgerPlan {
  /** Prefix of the names of all metrics. */
  prefix: string;
  /** Number of concurrent senders, each with its own metrics and one connection. */
  lanes: number;
  metricsPerLane: number;
  /** Slots of every metric in one body. */
  slotsPerBody: number;
  /** After this number of slots a lane continues with new metrics. */
  slots: number;
  /** Slots with an outburst of every metric; an anomaly must begin with the first. Null: no outburst. */
  trouble: { from: number; until: number } | null;
  /** Unix seconds of the first slot, a whole minute. */
  firstSlot: number;
  /** False sends live points: the slots must then be within the last hour. */
  isHistory: boolean;
  /** Sends every body a second time, concurrently or later. */
  repeats: boolean;
  /** Pause after each body in milliseconds; the rest is sent without pauses after `finish`. */
  pauseMs: number;
}

/** Number of answers by status; 0 for a broken connection. */
export type Answers = Map<number, number>;

/** The current metrics of a lane, and the state of their bodies. */
interface Page {
  names: string[];
  /** Seed of the values. */
  first: number;
  /** State by body. */
  bodies: Uint8Array;
  /** Unix milliseconds by body. */
  acknowledgedAt: Float64Array;
}

/** A steady series with one outburst, identical in every run, with at most three decimals. */
function valueOf(plan: LedgerPlan, metric: number, slot: number): number {
  if (plan.trouble && slot >= plan.trouble.from && slot < plan.trouble.until) return 900 + (metric % 50);
  const noise = Math.abs(Math.sin((slot + 1) * 12.9898 + metric * 78.233) * 43_758.5453) % 1;
  return Math.round((100 + (metric % 50) + 3 * noise) * 1000) / 1000;
}

/**
 * Senders that record what they sent and what was acknowledged, and compare it with stored points. A body that was not
 * acknowledged is resent until it is, as real senders do; after `finish` no body is uncertain. Lanes alternate between
 * protocols: JSON columns, line protocol, line protocol with gzip.
 */
export class Ledger {
  readonly answers: Answers = new Map();
  /** Answers 429 and 503 without Retry-After; must stay empty. */
  readonly impolite: string[] = [];
  /** Answers that these bodies must not get. */
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
    // `finish` awaits it; until then a failure must not count as unhandled.
    for (const lane of this.running) lane.catch(() => undefined);
    return this;
  }

  /** Stops each sender once it has sent all slots of its metrics; every body is then acknowledged. */
  async finish(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  /** Stops the senders immediately, even during a request. */
  async abandon(): Promise<void> {
    this.isOver = true;
    this.isAbandoned = true;
    await Promise.allSettled(this.running);
  }

  /** Waits until this number of further bodies are acknowledged. */
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
   * Waits until all acknowledged points are stored with their values, then returns the differences: missing, changed
   * and unsent points. Empty when the ledger and the store agree.
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
   * Waits until each outburst has one anomaly, because points are stored before they are judged. Then returns the
   * outbursts without exactly one anomaly, and duplicate anomalies of the ledger's metrics.
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
          // The previous body again, concurrently with this one; then this one a second time.
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
