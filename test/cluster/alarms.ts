import { type ProductClient } from '../support/product.js';
import { type Received, type Reply, StandIn } from '../support/stand-in.js';
import { pause } from '../support/ledger.js';

/** Pause between two alarms. Alarms closer together would be combined into one message. */
const EVERY_MS = 3000;
const AGAIN_MS = 500;

/** Receives webhooks and records them by watcher. */
export class AlarmReceiver extends StandIn {
  /** By watcher: the ids of its breach messages, including repeated ones. */
  readonly breaches = new Map<string, string[]>();

  protected judge({ headers, body }: Received): Reply {
    const { type, data } = JSON.parse(body) as { type: string; data: { watcher?: { name: string } } };
    if (type === 'threshold.breached' && data.watcher !== undefined) {
      const { name } = data.watcher;
      this.breaches.set(name, [...(this.breaches.get(name) ?? []), headers['webhook-id'] as string]);
    }
    return { status: 204 };
  }
}

/** Raises metrics one after the other above the threshold of their own watcher, and keeps them there. */
export class Alarms {
  /** Names of the metrics whose point was acknowledged. */
  readonly rung: string[] = [];
  private running: Promise<void> | undefined;
  private isOver = false;

  constructor(
    private readonly api: ProductClient,
    private readonly ingestUrl: string,
    private readonly tokens: { ingest: string; write: string },
    private readonly names: readonly string[],
  ) {}

  async start(webhookUrl: string): Promise<void> {
    await this.api.call('PUT', '/integration/webhook/orgproperties', this.tokens.write, { url: webhookUrl });
    for (const name of this.names) {
      const rule = { algorithm: 'above', value: 10, chips: [name], webhook: true };
      await this.api.call('POST', '/watcher/threshold', this.tokens.write, { name, alert: true, ...rule });
    }
    this.running = this.ring();
    // `finish` awaits it; until then a failure must not count as unhandled.
    this.running.catch(() => undefined);
  }

  async finish(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async ring(): Promise<void> {
    for (const name of this.names) {
      if (this.isOver) return;
      while (!(await this.isTaken(name))) await pause(AGAIN_MS);
      this.rung.push(name);
      await pause(EVERY_MS);
    }
  }

  private async isTaken(metric: string): Promise<boolean> {
    const answer = await fetch(`${this.ingestUrl}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': this.tokens.ingest },
      body: JSON.stringify({ metric, value: 99 }),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    return answer?.ok ?? false;
  }
}
