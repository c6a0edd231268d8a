/**
 * Creates the tenants of a running product: `tenants.mjs URL DATA_FOLDER`; prints the result of `population.mjs` as
 * JSON.
 */
import { tenants } from './population.mjs';

const [url, dataFolder] = process.argv.slice(2);
console.log(JSON.stringify(await tenants({ url, dataFolder })));
