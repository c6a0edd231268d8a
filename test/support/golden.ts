import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../golden');

/**
 * Compares a text with the file of that name in test/golden, which people can read. PLUMBLINE_WRITE_GOLDEN=1 writes the
 * file instead: check the difference before you commit it.
 */
export function expectGolden(name: string, text: string): void {
  const file = join(FOLDER, name);
  if (process.env.PLUMBLINE_WRITE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}
