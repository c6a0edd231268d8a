/**
 * The process of one measurement: `measurement-process.mjs NAME TASK`. When started manually (with --expose-gc, and for
 * example --cpu-prof), it prints its rows instead of sending them.
 */
import { MEASUREMENTS } from './measurements.mjs';

const [name, task] = process.argv.slice(2);
const { measure } = await import(MEASUREMENTS[name]);
const rows = await measure(JSON.parse(task));
if (process.send === undefined) console.log(JSON.stringify(rows, null, 2));
else process.send(rows);
