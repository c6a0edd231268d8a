import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import swc from '@swc/jest';

/**
 * What JavaScript itself defines and calculations use. Nothing that a test replaces: no clock, no timer, nothing of Node.
 */
const BUILT_IN = [
  'Math',
  'Number',
  'Infinity',
  'NaN',
  'Float64Array',
  'Float32Array',
  'Int32Array',
  'Uint32Array',
  'Uint16Array',
  'Uint8Array',
];
const OWN_CODE = readFileSync(import.meta.filename);

/**
 * `source`, with the built-ins that it names as constants of the module, on its first line so that the numbers of lines
 * stay. In the vm context of a test file each look at a global goes through an interceptor, at the price of a dozen
 * calculations.
 */
function withConstants(source) {
  const names = BUILT_IN.filter((name) => source.includes(name));
  return names.length === 0 ? source : `const { ${names.join(', ')} } = globalThis;${source}`;
}

/** TypeScript to JavaScript by @swc/jest, whose options it takes. */
export default {
  createTransformer(options) {
    const inner = swc.createTransformer(options);
    return {
      canInstrument: inner.canInstrument,
      process: (source, ...rest) => inner.process(withConstants(source), ...rest),
      processAsync: (source, ...rest) => inner.processAsync(withConstants(source), ...rest),
      getCacheKey: (source, ...rest) =>
        createHash('sha256')
          .update(inner.getCacheKey(source, ...rest))
          .update(OWN_CODE)
          .digest('hex'),
    };
  },
};
