import { Global, Module } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';
import { KeyFileWatch } from './key-file-watch.js';
import { KeySource } from './key-source.js';
import { Secrets } from './secrets.js';

@Global()
@Module({
  providers: [
    { provide: KeySource, inject: [ServerConfig], useFactory: (config: ServerConfig) => new KeySource(config) },
    {
      provide: Secrets,
      inject: [KeySource],
      useFactory: async (source: KeySource) => new Secrets(await source.read()),
    },
    {
      provide: KeyFileWatch,
      inject: [Secrets, KeySource],
      useFactory: (secrets: Secrets, { file }: KeySource) => new KeyFileWatch(secrets, file),
    },
  ],
  exports: [Secrets, KeySource],
})
export class SecretsModule {}
