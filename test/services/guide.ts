import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Product } from '../support/product.js';

const GUIDE = join(import.meta.dirname, '../../docs/guide/send-data.md');

/** Placeholders in the guide for the address and the token of an installation. */
const TOKEN = 'pl_TOKEN';
const ADDRESS = 'http://localhost:3000';

/**
 * A block of docs/guide/send-data.md, named after the language of its fence (```yaml prometheus.yml), with the address
 * and the token of this installation. So the tests run exactly what the guide contains.
 */
export function snippet(name: string, product: Product, token: string, graphitePort = '2003'): string {
  const found = new RegExp(`^\`\`\`\\S+ ${name.replaceAll('.', '\\.')}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    readFileSync(GUIDE, 'utf8'),
  );
  if (!found) throw new Error(`docs/guide/send-data.md has no block called ${name}`);
  return found[1]!
    .replaceAll(TOKEN, token)
    .replaceAll(ADDRESS, product.url)
    .replaceAll('"2003"', `"${graphitePort}"`)
    .replaceAll('localhost/2003', `localhost/${graphitePort}`);
}
