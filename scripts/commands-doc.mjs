/** Writes docs/guide/command-line.md from the commands of the built command line. */
import { writeFile } from 'node:fs/promises';
import { createProgram } from '../dist/apps/cli/src/cli.js';
import { commandLineDocument } from '../dist/apps/cli/src/command-line-doc.js';

const nowhere = { out: () => undefined, err: () => undefined };
await writeFile(new URL('../docs/guide/command-line.md', import.meta.url), commandLineDocument(createProgram(nowhere)));
console.log('docs/guide/command-line.md is written');
