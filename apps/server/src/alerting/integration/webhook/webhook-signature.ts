import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface Signed {
  id: string;
  /** Unix seconds of this try. */
  timestamp: number;
  body: string;
}

/** Headers of Standard Webhooks: one signature for each secret. */
export function signatureHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const signed = `${id}.${String(timestamp)}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
