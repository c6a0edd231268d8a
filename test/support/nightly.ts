import { type Product, until } from './product.js';

export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** A value added to a series for a time; Unix seconds. */
export interface Extra {
  from: number;
  until: number;
  height: number;
}

/** Steady series around 100, one point per minute, with added values. */
export class QuietSeries {
  /** @param midnight start of its first day, Unix seconds */
  constructor(
    private readonly product: Product,
    readonly token: string,
    readonly midnight: number,
  ) {}

  /** Extras on the days `first` to `last`, both inclusive, each at the given time after midnight. */
  everyDay(
    first: number,
    last: number,
    { at, length, height }: { at: number; length: number; height: number },
  ): Extra[] {
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const from = this.midnight + (first + i) * DAY + at;
      return { from, until: from + length, height };
    });
  }

  /** Sends some days as backfill, and waits until detection has processed them. */
  async send(
    metric: string,
    { first, days, extras }: { first: number; days: number; extras: readonly Extra[] },
  ): Promise<void> {
    const timestamps = Array.from(
      { length: (days * DAY) / MINUTE },
      (_, i) => this.midnight + first * DAY + i * MINUTE,
    );
    const values = timestamps.map((timestamp) => {
      const noise = Math.sin(timestamp * 12.9898 + metric.length) * 43_758.5453;
      const added = extras.filter(({ from, until: end }) => timestamp >= from && timestamp < end);
      return 100 + (noise - Math.floor(noise)) * 6 + added.reduce((sum, { height }) => sum + height, 0);
    });
    const answer = await fetch(`${this.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': this.token, 'X-Backfill': 'true' },
      body: JSON.stringify({ metrics: [{ metric, timestamps, values }] }),
    });
    if (answer.status !== 204)
      throw new Error(`${metric} was answered with ${String(answer.status)}: ${await answer.text()}`);
    await until(`${metric} to be detected`, async () => {
      const { metric: record } = await this.call('GET', `/metric/${metric}`);
      return record.last_timestamp >= timestamps.at(-1)! ? true : undefined;
    });
  }

  /** Makes a call of the API; returns the `data` member. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
    return this.product.call(method, path, this.token, body);
  }

  /** Anomalies of a metric that began on a day, oldest first. */
  async anomaliesOn(metric: string, day: number) {
    const from = this.midnight + day * DAY;
    const path = `/metric/${metric}/anomalies?from=${String(from)}&until=${String(from + DAY - 1)}&order=oldest&limit=1000`;
    const { anomalies } = await this.call('GET', path);
    return anomalies.filter(({ timestamp }: { timestamp: number }) => timestamp >= from);
  }
}
