import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

const GLOBALS = new URL('globals.mjs', import.meta.url);

let mappings = [];
let swcOptions = {};

/** `moduleNameMapper` of jest's configuration, and the options of its transformer. */
export function initialize(data) {
  mappings = data.mappings.map(([pattern, target]) => [new RegExp(pattern), target]);
  swcOptions = data.swcOptions;
}

/** As jest resolves: by `moduleNameMapper`, and with the endings of TypeScript. */
export function resolve(specifier, context, next) {
  const parent = context.parentURL;
  if (specifier === '@jest/globals') return found(`${GLOBALS}?of=${encodeURIComponent(parent)}`);
  if (/^[.#]/.test(specifier) && parent?.startsWith('file:') && !parent.includes('/node_modules/')) {
    const [pattern, target] = mappings.find(([candidate]) => candidate.test(specifier)) ?? [];
    const mapped = pattern === undefined ? specifier : specifier.replace(pattern, target);
    const { href } = mapped.startsWith('/') ? pathToFileURL(mapped) : new URL(mapped, parent);
    const source = [href, `${href}.ts`, `${href}/index.ts`].find((url) => url.endsWith('.ts') && exists(url));
    if (source !== undefined) return found(source);
  }
  return next(specifier, context);
}

function found(url) {
  return { url, shortCircuit: true };
}

function exists(url) {
  return existsSync(fileURLToPath(url));
}

/** Compiles TypeScript, with a source map at its end. */
export function load(url, context, next) {
  if (!/^file:.*\.ts(\?|$)/.test(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = swc.transformSync(readFileSync(filename, 'utf8'), { ...swcOptions, filename, swcrc: false });
  return { format: 'module', source: code, shortCircuit: true };
}
