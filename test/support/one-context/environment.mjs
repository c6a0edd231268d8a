import { relative } from 'node:path';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';
import { OWN_CONTEXT } from './own-context.mjs';

/** The environment of a test file: a separate context for files in OWN_CONTEXT, otherwise that of the process. */
export default function TestEnvironment(config, context) {
  const { globalConfig, projectConfig } = config;
  // With --watch, a process runs a file repeatedly and must load changes. Coverage is measured by jest's own module
  // loader.
  const isAlone = globalConfig.watch || globalConfig.watchAll || globalConfig.collectCoverage;
  const file = relative(projectConfig.rootDir, context.testPath);
  return isAlone || OWN_CONTEXT.has(file) ? new NodeEnvironment(config, context) : new OneContextEnvironment();
}

class OneContextEnvironment {
  isOneContext = true;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  /** Globals that jest sets here reach only the runner, which passes on those that tests need. */
  global = { process: { exit: process.exit.bind(process) } };

  setup = () => Promise.resolve();
  teardown = () => Promise.resolve();
  exportConditions = () => ['node', 'node-addons'];
  getVmContext = () => null;
}
