import { resolve } from 'node:path';
import { type ServerConfig } from '../config/server.config.js';
import { KeyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';
import { SecretKey } from './secret-key.js';

/** The source of the keys of the process: a generated file, or the environment. */
export class KeySource {
  /** Undefined if the keys come from the environment. */
  readonly file: KeyFile | undefined;

  constructor(private readonly config: Pick<ServerConfig, 'secretKey' | 'previousSecretKeys' | 'dataFolder'>) {
    this.file = config.secretKey === undefined ? new KeyFile(resolve(config.dataFolder, 'secret.key')) : undefined;
  }

  /** For messages. */
  get name(): string {
    return this.file?.path ?? 'PLUMBLINE_SECRET_KEY';
  }

  async read(): Promise<KeyRing> {
    const { secretKey, previousSecretKeys } = this.config;
    if (this.file || secretKey === undefined) return this.file!.readOrCreate();
    const previous = previousSecretKeys.map((text) => SecretKey.parse(text, 'PLUMBLINE_SECRET_KEY_PREVIOUS'));
    return KeyRing.of(SecretKey.parse(secretKey, 'PLUMBLINE_SECRET_KEY'), previous);
  }
}
