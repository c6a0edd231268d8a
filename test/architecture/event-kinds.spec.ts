import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EVENT_TYPES } from '#libs/contracts';

const SERVER = resolve(import.meta.dirname, '../../apps/server/src');

/** The source texts of the server, without tests. */
const SOURCES = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('spec.ts'))
  .map((path) => readFileSync(join(SERVER, path), 'utf8'));

describe('the event kind', () => {
  it.each(EVENT_TYPES)('%s is recorded somewhere in the server', (kind) => {
    expect(SOURCES.some((source) => source.includes(`'${kind}'`))).toBe(true);
  });
});
