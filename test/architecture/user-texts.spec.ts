import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { proseOffences } from '../support/prose.js';
import { textsByArea, textsOf } from '../support/user-texts.js';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(import.meta.dirname, 'user-texts');
const HOW = 'read the difference, then run npm run user-texts and commit';

describe('user-visible texts', () => {
  let texts: Map<string, string>;

  beforeAll(async () => {
    const byArea = await textsByArea(ROOT);
    texts = new Map([...byArea].map(([area, lines]) => [`${area}.txt`, `${lines.join('\n')}\n`]));
    await mkdir(FOLDER, { recursive: true });
    const committed = new Set(await readdir(FOLDER));
    const isUpdate = process.env.PLUMBLINE_WRITE_USER_TEXTS === '1';
    // A new area gets its file, like a new snapshot.
    for (const [file, text] of texts) {
      if (isUpdate || !committed.has(file)) await writeFile(join(FOLDER, file), text);
    }
    if (isUpdate) for (const file of committed) if (!texts.has(file)) await rm(join(FOLDER, file));
    // This parses every source file.
  }, 120_000);

  it(`match the committed files, one per area; after a change ${HOW}`, async () => {
    const committed: Record<string, string> = {};
    for (const file of await readdir(FOLDER)) committed[file] = await readFile(join(FOLDER, file), 'utf8');

    expect(committed).toEqual(Object.fromEntries(texts));
  });

  it('are written in plain English', () => {
    const offences = [...texts].flatMap(([file, text]) => proseOffences(file, text.split('\n')));
    expect(offences).toEqual([]);
  });

  it('are literals, templates and joined literals, but not names or SQL', () => {
    const source = `
      import { x } from 'some module';
      throw new PlumError(\`There is no metric \${String(id)} \` + 'in this ' + place + \`, said \${long ? 'the long way' : 'so'}.\`);
      const word = 'metric_created';
      query('SELECT a FROM b WHERE c');
      @Setting({ sentence: 'Port of the\\nmail server.' }) class A {}
    `;

    expect(textsOf('a.ts', source)).toEqual([
      'There is no metric {…} in this {…}, said {…}.',
      'the long way',
      'Port of the mail server.',
    ]);
  });
});
