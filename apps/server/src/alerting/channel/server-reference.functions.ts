import { createHash } from 'node:crypto';

const DIGEST_LENGTH = 16;

/**
 * Represents the address of a server where messages are stored: `teams.example.org#5f0c2b9e41d7a386`. The address
 * itself is a credential, and stays sealed in the settings.
 */
export function serverReference(address: string): string {
  const host = URL.canParse(address) ? new URL(address).host : '';
  return `${host}#${createHash('sha256').update(address).digest('hex').slice(0, DIGEST_LENGTH)}`;
}

/** Host, and the digest that distinguishes addresses of the same host. */
export function partsOfReference(reference: string): { host: string; digest: string } {
  const [host = '', digest = ''] = reference.split('#');
  return { host, digest };
}
