import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

const GLOBALS = new URL('globals.mjs', import.meta.url);
/** Cache of compiled files, shared by all test processes, each of which loads a thousand files. */
const COMPILED = new URL('../../../node_modules/.cache/plumbline-tests/', import.meta.url);

let mappings = [];
let swcOptions = {};

/** `moduleNameMapper` of jest's configuration, and the options of its transformer. */
export function initialize(data) {
  mappings = data.mappings.map(([pattern, target]) => [new RegExp(pattern), target]);
  swcOptions = data.swcOptions;
  mkdirSync(COMPILED, { recursive: true });
}

/** Resolves like jest: by `moduleNameMapper`, and with TypeScript extensions. */
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

/** Compiles TypeScript to JavaScript, with an inline source map. */
export function load(url, context, next) {
  if (!/^file:.*\.ts(\?|$)/.test(url)) return next(url, context);
  const filename = fileURLToPath(url);
  return { format: 'module', source: compiled(readFileSync(filename, 'utf8'), filename), shortCircuit: true };
}

function compiled(source, filename) {
  const options = JSON.stringify(swcOptions);
  const key = createHash('sha256').update(`${swc.version}\n${options}\n${source}`).digest('hex');
  const file = new URL(`${key}.js`, COMPILED);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { code } = swc.transformSync(source, { ...swcOptions, filename, swcrc: false });
  // Another process may read the file at the same time, or write the same content.
  const unfinished = new URL(`${key}.${process.pid}`, COMPILED);
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  return code;
}
