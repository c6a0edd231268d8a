import { relative } from 'node:path';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';
import { OWN_CONTEXT } from './own-context.mjs';

/** The environment of a test file: one with a context of its own for those of OWN_CONTEXT, else that of the process. */
export default function TestEnvironment(config, context) {
  const { globalConfig, projectConfig } = config;
  // A process that watches runs a file again and again, and must see what has changed. Coverage is measured by jest's
  // own loading of modules.
  const isAlone = globalConfig.watch || globalConfig.watchAll || globalConfig.collectCoverage;
  const file = relative(projectConfig.rootDir, context.testPath);
  return isAlone || OWN_CONTEXT.has(file) ? new NodeEnvironment(config, context) : new OneContextEnvironment();
}

class OneContextEnvironment {
  isOneContext = true;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  /** What jest puts here reaches no one but the runner, which hands on what the tests shall have. */
  global = { process: { exit: process.exit.bind(process) } };

  setup = () => Promise.resolve();
  teardown = () => Promise.resolve();
  exportConditions = () => ['node', 'node-addons'];
  getVmContext = () => null;
}
