import { type DynamicModule, type FactoryProvider, Global, Module } from '@nestjs/common';
import { environment, type Environment } from './environment.config.js';
import { loadConfig, LoadedConfig } from './load-config.js';
import { type ConfigClass } from './setting.decorator.js';

/** The source of the settings; tests replace it with fixed values. */
export const CONFIG_ENVIRONMENT = Symbol('configuration environment');

/** Makes one configuration class injectable. ConfigModule does it for all of config.registry.ts. */
function provideConfig<T extends object>(configClass: ConfigClass<T>): FactoryProvider<T> {
  return {
    provide: configClass,
    inject: [LoadedConfig],
    useFactory: (loaded: LoadedConfig) => loaded.get(configClass),
  };
}

/** Validates all settings when the application starts and injects them by class, everywhere. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(classes: readonly ConfigClass[]): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: CONFIG_ENVIRONMENT, useFactory: environment },
        {
          provide: LoadedConfig,
          inject: [CONFIG_ENVIRONMENT],
          useFactory: (env: Environment) => loadConfig(classes, env),
        },
        ...classes.map((configClass) => provideConfig(configClass)),
      ],
      exports: [LoadedConfig, ...classes],
    };
  }
}
