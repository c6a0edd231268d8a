import { Global, Module } from '@nestjs/common';
import { join } from 'node:path';
import { ServerConfig } from '../config/server.config.js';
import { loadOrCreateSecretKey, SecretKey } from './secret-key.js';
import { Secrets } from './secrets.js';

/** The key of PLUMBLINE_SECRET_KEY, or the one generated into the data folder. */
@Global()
@Module({
  providers: [
    {
      provide: Secrets,
      inject: [ServerConfig],
      useFactory: async ({ secretKey, dataFolder }: ServerConfig) =>
        new Secrets(
          secretKey === undefined
            ? await loadOrCreateSecretKey(join(dataFolder, 'secret.key'))
            : SecretKey.parse(secretKey, 'PLUMBLINE_SECRET_KEY'),
        ),
    },
  ],
  exports: [Secrets],
})
export class SecretsModule {}
