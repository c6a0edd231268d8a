/** For `node --import`: writes the modules that the process has loaded into the file MODULES_FILE, one per line. */
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';

const file = process.env.MODULES_FILE;
const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
process.on('exit', () => appendFileSync(file, Object.keys(Module._cache).join('\n')));
