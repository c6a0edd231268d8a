import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../golden');

/**
 * Holds a text against the file of that name in test/golden, where people look at it. PLUMBLINE_WRITE_GOLDEN=1 writes the
 * file instead: look at the difference before it is committed.
 */
export function expectGolden(name: string, text: string): void {
  const file = join(FOLDER, name);
  if (process.env.PLUMBLINE_WRITE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}
