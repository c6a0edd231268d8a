import { createHash } from 'node:crypto';

const DIGEST_LENGTH = 16;

/**
 * What stands for the address of a server where messages are stored: `teams.example.org#5f0c2b9e41d7a386`. The address
 * itself is a credential, and stays sealed where it was set.
 */
export function serverReference(address: string): string {
  const host = URL.canParse(address) ? new URL(address).host : '';
  return `${host}#${createHash('sha256').update(address).digest('hex').slice(0, DIGEST_LENGTH)}`;
}

/** Host, and what tells it from other addresses there. */
export function partsOfReference(reference: string): { host: string; digest: string } {
  const [host = '', digest = ''] = reference.split('#');
  return { host, digest };
}
