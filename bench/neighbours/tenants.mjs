/** Makes the tenants of a running product: `tenants.mjs URL DATA_FOLDER`; prints what `population.mjs` answers, as JSON. */
import { tenants } from './population.mjs';

const [url, dataFolder] = process.argv.slice(2);
console.log(JSON.stringify(await tenants({ url, dataFolder })));
