import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import swc from '@swc/jest';

/** Built-ins of JavaScript that calculations use. None is replaced by tests: no clock, no timer, nothing of Node. */
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
 * Declares the built-ins in `source` as constants of the module, on the first line, so that line numbers do not change.
 * In the vm context of a test file each access to a global goes through an interceptor, which costs as much as a dozen
 * calculations.
 */
function withConstants(source) {
  const names = BUILT_IN.filter((name) => source.includes(name));
  return names.length === 0 ? source : `const { ${names.join(', ')} } = globalThis;${source}`;
}

/** Compiles TypeScript to JavaScript by @swc/jest, with its options. */
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
