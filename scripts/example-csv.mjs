/** Writes docs/examples/latency.csv, the example for `detect` in the README, with the built generator. */
import { mkdir, writeFile } from 'node:fs/promises';
import { exampleCsv } from '../dist/apps/cli/src/testing/example-csv.js';

await mkdir(new URL('../docs/examples/', import.meta.url), { recursive: true });
await writeFile(new URL('../docs/examples/latency.csv', import.meta.url), exampleCsv());
console.log('docs/examples/latency.csv is written');
