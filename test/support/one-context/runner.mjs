import { createRequire, findSourceMap, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ConsoleLogger, Logger } from '@nestjs/common';
import circus from 'jest-circus/runner';
import { watchLeftovers } from './leftovers.mjs';
import { Storages } from './storages.mjs';

/**
 * Jest's runner for a test file, with one difference: a file without its own context (environment.mjs) gets its modules
 * from Node instead of jest, so that the next file of the same process finds them loaded. Loading the application again
 * for each file took half of the time of all tests.
 */
export default async function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  if (!environment.isOneContext) {
    return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  }
  prepareLoading(config);
  const shared = new SharedModules(environment.moduleMocker);
  const restore = remember();
  const leftovers = watchLeftovers();
  Error.prepareStackTrace = stackOf;
  globalThis.console = environment.global.console;
  process.exit = environment.global.process.exit;
  try {
    return await circus.default(globalConfig, config, environment, shared, testPath, sendMessageToJest);
  } finally {
    environment.moduleMocker.restoreAllMocks();
    shared.end();
    restore();
    const left = await leftovers();
    if (left.length > 0) process.stderr.write(`${testPath} has left open: ${left.join(', ')}\n`);
  }
}

let isPrepared = false;

function prepareLoading({ moduleNameMapper, transform }) {
  if (isPrepared) return;
  isPrepared = true;
  process.setSourceMapsEnabled(true);
  const [, , swcOptions] = transform[0];
  register('./hooks.mjs', import.meta.url, { data: { mappings: moduleNameMapper, swcOptions } });
}

/** Returns a function that restores what a test file may change in the process. */
function remember() {
  const { env, exit, exitCode } = process;
  const variables = { ...env };
  const { console } = globalThis;
  return () => {
    for (const name of Object.keys(env)) if (!(name in variables)) Reflect.deleteProperty(env, name);
    process.env = Object.assign(env, variables);
    Object.assign(process, { exit, exitCode });
    Logger.overrideLogger(new ConsoleLogger());
    // In a worker, the console of the file stays until the next file, and reports every write after the end of its
    // test.
    if (process.send === undefined) globalThis.console = console;
  };
}

/** The part of jest's runtime that jest-circus uses. */
class SharedModules {
  #mocker;
  #state = [];
  #storages = new Storages();
  enterTestCode = () => undefined;
  leaveTestCode = () => undefined;

  constructor(mocker) {
    this.#mocker = mocker;
  }

  /** jest-circus keeps its state in its module, and under symbols in the global object. */
  requireInternalModule(path) {
    const before = new Set(Object.getOwnPropertySymbols(globalThis));
    Reflect.deleteProperty(require.cache, path);
    const loaded = this.#storages.madeBy(() => require(path));
    this.#state = Object.getOwnPropertySymbols(globalThis).filter((symbol) => !before.has(symbol) && !isKept(symbol));
    return loaded;
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { href } = pathToFileURL(path);
    const times = imports.get(href) ?? 0;
    if (path.endsWith('.ts')) imports.set(href, times + 1);
    try {
      return await import(times === 0 ? href : `${href}?again=${times}`);
    } catch (error) {
      throw withoutOwnFrames(error);
    }
  }

  setGlobalsForRuntime(globals) {
    Object.assign(globalThis, globals, { jest: jestOf(this.#mocker) });
  }

  clearAllMocks() {
    this.#mocker.clearAllMocks();
  }

  resetAllMocks() {
    this.#mocker.resetAllMocks();
  }

  restoreAllMocks() {
    this.#mocker.restoreAllMocks();
  }

  end() {
    this.#storages.disable();
    for (const symbol of this.#state) Reflect.deleteProperty(globalThis, symbol);
  }
}

const require = createRequire(import.meta.url);
/** Number of imports by file: a repeated run in the same process imports the file under another URL. */
const imports = new Map();

/** The state of `expect` belongs to a module that is not loaded again. */
function isKept(symbol) {
  return symbol !== Symbol.for('EVENT_HANDLERS') && Symbol.keyFor(symbol) !== undefined;
}

/** `jest` without the functions that change the whole process. */
function jestOf(mocker) {
  const known = {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    clearAllMocks: () => mocker.clearAllMocks(),
    resetAllMocks: () => mocker.resetAllMocks(),
    restoreAllMocks: () => mocker.restoreAllMocks(),
  };
  return new Proxy(known, {
    get(target, name) {
      if (name in target || typeof name !== 'string') return target[name];
      throw new Error(`A test file that uses jest.${name} needs a line in test/support/one-context/own-context.mjs`);
    },
  });
}

const OWN_FOLDER = new URL('.', import.meta.url);

/** The stack in the form that jest expects: with paths instead of URLs, and the lines of the sources. */
function stackOf(error, sites) {
  const places = sites.filter((site) => !site.getFileName()?.startsWith(OWN_FOLDER.href)).map(placeOf);
  return [Error.prototype.toString.call(error), ...places].join('\n    at ');
}

function placeOf(site) {
  const file = site.getFileName();
  if (!file?.startsWith('file:')) return String(site);
  const compiled = [site.getLineNumber(), site.getColumnNumber()];
  const { lineNumber, columnNumber } = findSourceMap(file)?.findOrigin(...compiled) ?? {};
  const [line, column] = lineNumber === undefined ? compiled : [lineNumber, columnNumber];
  return String(site).replace(`${file}:${compiled.join(':')}`, `${fileURLToPath(file)}:${line}:${column}`);
}

/** An error in the hooks comes from another thread, with the stack of that thread. */
function withoutOwnFrames(error) {
  if (error instanceof Error && error.stack !== undefined) {
    error.stack = error.stack
      .split('\n')
      .filter((line) => !line.includes(OWN_FOLDER.pathname))
      .join('\n');
  }
  return error;
}
