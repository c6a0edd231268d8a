import { type Environment } from './environment.config.js';
import {
  type ConfigClass,
  type ConfigHooks,
  type Setting,
  settingsOf,
  type SettingProblem,
  type SettingShape,
} from './setting.decorator.js';

/** The start is refused; the message lists every wrong setting. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly SettingProblem[]) {
    const count = problems.length;
    super(
      [
        count === 1 ? '1 setting is wrong:' : `${String(count)} settings are wrong:`,
        ...problems.map(({ env, message }) => `  ${env}: ${message}`),
      ].join('\n'),
    );
    this.name = 'ConfigError';
  }
}

/** The validated configuration of the process, one instance per class. */
export class LoadedConfig {
  constructor(
    private readonly instances: ReadonlyMap<ConfigClass, object>,
    /** Lines for the log about unknown variables that look like settings. */
    readonly warnings: readonly string[],
  ) {}

  get<T extends object>(configClass: ConfigClass<T>): T {
    const instance = this.instances.get(configClass);
    if (!instance) throw new Error(`${configClass.name} is missing in config.registry.ts`);
    return instance as T;
  }
}

const OWN_PREFIX = 'PLUMBLINE_';

/** Reads and validates the settings of all classes. Throws one ConfigError that lists every wrong variable. */
export function loadConfig(classes: readonly ConfigClass[], env: Environment): LoadedConfig {
  const problems: SettingProblem[] = [];
  const known = new Set<string>();
  const instances = new Map<ConfigClass, object>();
  for (const configClass of classes) {
    const instance = new configClass();
    const hooks: ConfigHooks = instance;
    const given = new Set<string>();
    for (const setting of settingsOf(configClass)) {
      known.add(setting.env);
      const text = env[setting.env]?.trim();
      if (text === undefined || text === '') continue;
      given.add(setting.env);
      const read = readSetting(setting, text);
      if ('problem' in read) {
        const shown = setting.secret ? 'the value' : JSON.stringify(text);
        problems.push({ env: setting.env, message: `${shown} ${read.problem}` });
      } else {
        (instance as Record<string, unknown>)[setting.field] = read.value;
      }
    }
    hooks.complete?.(given);
    problems.push(...(hooks.problems?.() ?? []));
    instances.set(configClass, instance);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const warnings = Object.keys(env)
    .filter((name) => name.startsWith(OWN_PREFIX) && !known.has(name))
    .sort()
    .map((name) => `${name} is not a known setting and has no effect`);
  return new LoadedConfig(instances, warnings);
}

type Reading = { value: unknown } | { problem: string };

const BOOLEANS: Readonly<Record<string, boolean | undefined>> = {
  on: true,
  true: true,
  yes: true,
  1: true,
  off: false,
  false: false,
  no: false,
  0: false,
};

function readSetting(setting: Setting, text: string): Reading {
  switch (setting.type) {
    case 'int':
    case 'number': {
      const value = Number(text);
      const isWrong = setting.type === 'int' ? !Number.isSafeInteger(value) : !Number.isFinite(value);
      if (isWrong || value < (setting.min ?? -Infinity) || value > (setting.max ?? Infinity)) {
        return { problem: `must be ${allowedValues(setting)}` };
      }
      return { value };
    }
    case 'boolean': {
      const value = BOOLEANS[text.toLowerCase()];
      return value === undefined ? { problem: 'must be on or off' } : { value };
    }
    case 'enum':
      return setting.values.includes(text) ? { value: text } : { problem: `must be ${allowedValues(setting)}` };
    case 'url':
      return readUrl(text);
    case 'list': {
      const value = [...new Set(text.split(',').map((item) => item.trim()))].filter((item) => item !== '');
      const isWrong = (item: string) =>
        setting.values?.includes(item) === false || setting.pattern?.test(item) === false;
      const wrong = value.filter(isWrong);
      if (wrong.length === 0) return { value };
      const shown = setting.secret ? `${String(wrong.length)} of the values` : wrong.join(', ');
      return { problem: `must be ${allowedValues(setting)}; not so: ${shown}` };
    }
    case 'string':
      if (setting.minLength !== undefined && text.length < setting.minLength) {
        return { problem: `must have at least ${String(setting.minLength)} characters` };
      }
      if (setting.pattern && !setting.pattern.test(text))
        return { problem: `must be ${setting.form ?? 'of another form'}` };
      return { value: text };
  }
}

function readUrl(text: string): Reading {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return { problem: 'must be an http or https address without query' };
  }
  return { value: text.replace(/(?<!\/)\/+$/, '') };
}

/** The allowed values of a setting, in words; for errors and docs/configuration.md. */
export function allowedValues(shape: SettingShape): string {
  switch (shape.type) {
    case 'int':
    case 'number': {
      const kind = shape.type === 'int' ? 'a whole number' : 'a number';
      const unit = shape.unit ? ` (${shape.unit})` : '';
      if (shape.min === undefined && shape.max === undefined) return kind + unit;
      return `${kind} ${String(shape.min ?? '')}..${String(shape.max ?? '')}${unit}`;
    }
    case 'boolean':
      return 'on, off';
    case 'enum':
      return `one of ${shape.values.join(', ')}`;
    case 'url':
      return 'an http or https address';
    case 'list':
      return shape.values ? `a list of ${shape.values.join(', ')}` : `a list of ${shape.form ?? 'texts'}`;
    case 'string':
      return shape.form ?? 'text';
  }
}
