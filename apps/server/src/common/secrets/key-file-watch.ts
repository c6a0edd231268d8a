import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../errors/message-of.js';
import { type KeyFile } from './key-file.js';
import { type Secrets } from './secrets.js';

/** Time within which a process notices keys that another process has written to the file. */
export const KEY_FILE_LOOK_SECONDS = 2;

/** Applies changes of the key file while the process runs. */
@Injectable()
export class KeyFileWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyFileWatch.name);
  private timer: NodeJS.Timeout | undefined;
  private loadedVersion: string | undefined;
  private complaint: string | undefined;

  /** @param file undefined if the keys come from the environment, which does not change */
  constructor(
    private readonly secrets: Secrets,
    private readonly file: KeyFile | undefined,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.file) return;
    this.timer = setInterval(() => void this.checkFile(), KEY_FILE_LOOK_SECONDS * 1000);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A missing or damaged file is reported once, and the keys do not change. */
  async checkFile(): Promise<void> {
    if (!this.file) return;
    try {
      const version = await this.file.version();
      if (version === this.loadedVersion) return;
      this.loadedVersion = version;
      this.complaint = undefined;
      const ring = await this.file.read();
      if (ring) this.secrets.use(ring);
      else
        this.logger.warn(
          `The key file ${this.file.path} is missing; restore it, or no user can log in after a restart`,
        );
    } catch (error) {
      const complaint = messageOf(error);
      if (complaint !== this.complaint)
        this.logger.error(`The key file cannot be read; the keys in memory stay in use: ${complaint}`);
      this.complaint = complaint;
    }
  }
}
