import { Global, Module } from '@nestjs/common';
import { join } from 'node:path';
import { ServerConfig } from '../config/server.config.js';
import { KeyFileWatch } from './key-file-watch.js';
import { KeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';
import { SecretKey } from './secret-key.js';
import { Secrets } from './secrets.js';

/** The file of generated keys; undefined when the keys come from the environment. */
export function keyFileOf({
  secretKey,
  dataFolder,
}: Pick<ServerConfig, 'secretKey' | 'dataFolder'>): KeyFile | undefined {
  return secretKey === undefined ? new KeyFile(join(dataFolder, 'secret.key')) : undefined;
}

/** The keys of PLUMBLINE_SECRET_KEY and PLUMBLINE_SECRET_KEY_PREVIOUS, or those generated into the data folder. */
async function readKeys(config: ServerConfig): Promise<KeyRing> {
  const { secretKey, previousSecretKeys } = config;
  if (secretKey === undefined) return keyFileOf(config)!.readOrCreate();
  const previous = previousSecretKeys.map((text) => SecretKey.parse(text, 'PLUMBLINE_SECRET_KEY_PREVIOUS'));
  return KeyRing.of(SecretKey.parse(secretKey, 'PLUMBLINE_SECRET_KEY'), previous);
}

@Global()
@Module({
  providers: [
    {
      provide: Secrets,
      inject: [ServerConfig],
      useFactory: async (config: ServerConfig) => new Secrets(await readKeys(config)),
    },
    {
      provide: KeyFileWatch,
      inject: [Secrets, ServerConfig],
      useFactory: (secrets: Secrets, config: ServerConfig) => new KeyFileWatch(secrets, keyFileOf(config)),
    },
  ],
  exports: [Secrets],
})
export class SecretsModule {}
