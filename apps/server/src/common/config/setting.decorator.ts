/** How a setting is read from its environment variable and shown in docs/configuration.md. */
export type SettingShape =
  | { type: 'int' | 'number'; min?: number; max?: number; unit?: string }
  | { type: 'string'; pattern?: RegExp; minLength?: number; form?: string }
  | { type: 'url' }
  | { type: 'boolean' }
  | { type: 'enum'; values: readonly string[] }
  | { type: 'list'; values?: readonly string[]; pattern?: RegExp; form?: string };

export type SettingOptions = SettingShape & {
  /** Environment variable. */
  env: string;
  /** One sentence for operators: what it does, and when to change it. */
  sentence: string;
  /** Never printed in errors or logs. */
  secret?: boolean;
  /** Shown instead of the field's value if the default is computed. */
  defaultText?: string;
};

export type Setting = SettingOptions & { field: string };

/** The field type of each shape, so that a field cannot contradict its decorator. */
type ValueOf<Options extends SettingShape> = Options extends { type: 'int' | 'number' }
  ? number | undefined
  : Options extends { type: 'boolean' }
    ? boolean
    : Options extends { type: 'enum'; values: readonly (infer Value)[] }
      ? Value | undefined
      : Options extends { type: 'list'; values: readonly (infer Value)[] }
        ? readonly Value[]
        : Options extends { type: 'list' }
          ? readonly string[]
          : string | undefined;

const settingsByClass = new Map<object, Setting[]>();

/**
 * Declares a field of a configuration class: the field's initial value is the default, the decorator defines its source
 * and the allowed values. An empty variable counts as not set.
 *
 * ```ts
 * export class IngestConfig {
 *   @Setting({ env: 'PLUMBLINE_INGEST_QUEUE', type: 'int', min: 1, max: 10_000, unit: 'requests',
 *     sentence: 'Requests that may wait for the log; more are answered 429.' })
 *   queueLength = 500;
 * }
 * ```
 */
export function Setting<const Options extends SettingOptions>(options: Options) {
  return <Field extends string>(target: Record<Field, ValueOf<Options>>, field: Field): void => {
    const settings = settingsByClass.get(target.constructor) ?? [];
    settings.push({ ...options, field });
    settingsByClass.set(target.constructor, settings);
  };
}

/** Declared settings of a configuration class, in the order of its fields. */
export function settingsOf(configClass: ConfigClass): readonly Setting[] {
  return settingsByClass.get(configClass) ?? [];
}

/** A wrong value, identified by its variable. */
export interface SettingProblem {
  env: string;
  message: string;
}

/** Optional members of configuration classes. */
export interface ConfigHooks {
  /** Sets computed defaults; `given` contains the variables that were set. Runs after all fields are read. */
  complete?(given: ReadonlySet<string>): void;
  /** Rules between several settings. */
  problems?(): readonly SettingProblem[];
}

/** A class of settings; it may have the members of ConfigHooks. */
export type ConfigClass<T extends object = object> = new () => T;
