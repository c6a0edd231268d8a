import { createHmac, timingSafeEqual } from 'node:crypto';
import { jsonOf, type Received, type Reply, StandIn } from './stand-in.js';

/** Receives webhooks as Standard Webhooks requires of receivers: checks signature and age, and accepts each id once. */
export class WebhookReceiver extends StandIn {
  /** Accepted bodies, one for each id. */
  readonly taken: { id: string; body: Record<string, unknown> }[] = [];

  /** @param now Unix seconds */
  constructor(
    public secret: string,
    private readonly now: () => number,
  ) {
    super();
  }

  protected judge(request: Received): Reply {
    const { method, headers, body } = request;
    if (method !== 'POST') return { status: 405 };
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => headers[name] as string | undefined,
    );
    if (id === undefined || timestamp === undefined || signatures === undefined)
      return { status: 400, body: 'headers' };
    if (!/^\d+$/.test(timestamp) || Math.abs(Number(timestamp) - this.now()) > 300) return { status: 400, body: 'age' };
    const key = Buffer.from(this.secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
    const isSigned = signatures.split(' ').some((signature) => {
      const [version, code = ''] = signature.split(',');
      const given = Buffer.from(code, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isSigned) return { status: 401, body: 'signature' };
    const json = jsonOf(request);
    if (json === undefined) return { status: 415 };
    if (!this.taken.some((one) => one.id === id)) this.taken.push({ id, body: json });
    return { status: 204 };
  }
}
