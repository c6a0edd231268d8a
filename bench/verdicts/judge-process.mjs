/**
 * Started with the path of a built libs/detection and a file of series (v8): prints the counts of opened anomalies and
 * found trouble as JSON.
 */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { countOf, figuresOf } from './count.mjs';

const [library, file] = process.argv.slice(2);
const { detectSeries } = await import(library);
const counts = deserialize(readFileSync(file)).map((series) => countOf(detectSeries, series));
process.stdout.write(JSON.stringify(figuresOf(counts)));
