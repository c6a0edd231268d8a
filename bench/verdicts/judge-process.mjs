/** Started with the address of a built libs/detection and a file of series (v8): prints what is opened and found, as JSON. */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { countOf, figuresOf } from './count.mjs';

const [library, file] = process.argv.slice(2);
const { detectSeries } = await import(library);
const counts = deserialize(readFileSync(file)).map((series) => countOf(detectSeries, series));
process.stdout.write(JSON.stringify(figuresOf(counts)));
