/**
 * The process of one measurement: `measurement-process.mjs NAME TASK`. Started by hand (with --expose-gc, and --cpu-prof
 * say) it prints its rows instead of sending them.
 */
import { MEASUREMENTS } from './measurements.mjs';

const [name, task] = process.argv.slice(2);
const { measure } = await import(MEASUREMENTS[name]);
const rows = await measure(JSON.parse(task));
if (process.send === undefined) console.log(JSON.stringify(rows, null, 2));
else process.send(rows);
