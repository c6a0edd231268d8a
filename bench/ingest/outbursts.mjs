import { setTimeout as pause } from 'node:timers/promises';
import { until } from './until.mjs';

const MINUTE = 60;
/** More than the hundred points after which a series is judged. */
const HISTORY_POINTS = 300;
const NORMAL = 100;
const OUTBURST = 5000;
/** An anomaly that is not readable after this time counts as missing. */
const TIMEOUT_MS = 60_000;

const minuteOf = (milliseconds) => Math.floor(milliseconds / 60_000) * MINUTE;

/**
 * Series that are normal until they burst: the time from sending such a point until its anomaly can be read through the
 * API. Each bursts once.
 */
export class Outbursts {
  latencies = [];
  missing = 0;
  #next = 0;
  #lastSlot = new Map();

  constructor(product, tokens, count) {
    this.product = product;
    this.tokens = tokens;
    this.names = Array.from({ length: count }, (_, i) => `outburst.series-${i}`);
  }

  /** Gives every series a history up to the minute before now, so that its expected range is known. */
  async warmUp() {
    const last = minuteOf(Date.now()) - MINUTE;
    const timestamps = Array.from({ length: HISTORY_POINTS }, (_, i) => last - (HISTORY_POINTS - 1 - i) * MINUTE);
    for (let first = 0; first < this.names.length; first += 100) {
      const metrics = this.names.slice(first, first + 100).map((metric, i) => ({
        metric,
        timestamps,
        values: timestamps.map((_, slot) => NORMAL + noise(first + i, slot)),
      }));
      await this.#send({ metrics, backfill: true });
    }
    for (const name of this.names) this.#lastSlot.set(name, last);
  }

  /**
   * Sends the point of this minute for all series that have not sent one yet, except the next `keep` that will burst.
   */
  async #sendNormal(keep) {
    const now = minuteOf(Date.now());
    const unsent = this.names.slice(this.#next + keep).filter((name) => this.#lastSlot.get(name) < now);
    for (let first = 0; first < unsent.length; first += 1000) {
      const metrics = unsent
        .slice(first, first + 1000)
        .map((metric, i) => ({ metric, timestamp: now, value: NORMAL + noise(i, now / MINUTE) }));
      await this.#send({ metrics });
    }
    for (const name of unsent) this.#lastSlot.set(name, now);
  }

  /** Lets the next series burst and waits for its anomaly; resolves to the milliseconds from sending, or null. */
  async burst(retryMs = 50) {
    const name = this.names[this.#next++];
    if (name === undefined) throw new Error('All series have burst');
    const sentAt = performance.now();
    const from = minuteOf(Date.now());
    await until(
      `the outburst of ${name} to be accepted`,
      () => this.#trySend({ metric: name, timestamp: from, value: OUTBURST }),
      {
        everyMs: retryMs,
      },
    );
    try {
      await until(`the anomaly of ${name}`, () => this.#isFound(name, from), {
        timeoutMs: TIMEOUT_MS,
        everyMs: retryMs,
      });
      const latency = performance.now() - sentAt;
      this.latencies.push(latency);
      return latency;
    } catch {
      this.missing++;
      return null;
    }
  }

  /** Bursts evenly distributed over this many seconds, with normal points in between. */
  async run(seconds) {
    const began = performance.now();
    const count = this.names.length - this.#next;
    for (let burst = 0; burst < count; burst++) {
      const startAt = began + (1000 * seconds * (burst + 0.5)) / count;
      // Series that burst within this minute send nothing else in it: a slot with one point is judged immediately.
      const soon = Math.ceil((60 * count) / seconds) + 1;
      while (performance.now() < startAt) {
        await this.#sendNormal(soon);
        await pause(Math.max(0, Math.min(1000, startAt - performance.now())));
      }
      await this.burst();
    }
  }

  async #isFound(name, from) {
    const query = `metric=${name}&from=${from - MINUTE}&limit=10`;
    const { anomalies } = await this.product.call(`/anomalies?${query}`, { token: this.tokens.read });
    return anomalies.some(({ timestamp }) => timestamp >= from) ? true : undefined;
  }

  async #send(body) {
    await until('a body to be accepted', () => this.#trySend(body), { everyMs: 200 });
  }

  async #trySend(body) {
    const answer = await fetch(`${this.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': this.tokens.ingest },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status === 204) return true;
    if (answer.status === 429 || answer.status === 503) return undefined;
    throw new Error(`An outburst was answered ${answer.status}: ${text}`);
  }
}

const noise = (series, slot) => 3 * (Math.abs(Math.sin((slot + 1) * 12.9898 + series * 78.233) * 43_758.5453) % 1);
