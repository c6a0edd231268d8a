import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KeyRing } from './key-ring.js';
import { SecretKey } from './secret-key.js';

/**
 * The file that holds the generated keys, mode 0600. It is created and changed atomically, even if a process is
 * interrupted.
 */
export class KeyFile {
  constructor(readonly path: string) {}

  /** @throws InvalidSecretKeyError for a damaged file */
  async read(): Promise<KeyRing | undefined> {
    try {
      return KeyRing.parse(await readFile(this.path, 'utf8'), this.path);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /**
   * Reads the keys from the file, or generates one if there is no file. Processes that start at the same time all get
   * the same key.
   */
  async readOrCreate(): Promise<KeyRing> {
    const found = await this.read();
    if (found) return found;
    await mkdir(dirname(this.path), { recursive: true });
    const created = KeyRing.of(SecretKey.generate());
    const draft = await this.draft(created);
    try {
      await link(draft, this.path);
      return created;
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      const winner = await this.read();
      if (!winner) throw error;
      return winner;
    } finally {
      await unlink(draft);
    }
  }

  async replace(ring: KeyRing): Promise<void> {
    const draft = await this.draft(ring);
    try {
      await rename(draft, this.path);
    } catch (error) {
      await unlink(draft);
      throw error;
    }
    const folder = await open(dirname(this.path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Changes whenever the file does; undefined if there is none. */
  async version(): Promise<string | undefined> {
    try {
      const { ino, size, mtimeMs } = await stat(this.path);
      return `${ino} ${size} ${mtimeMs}`;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  private async draft(ring: KeyRing): Promise<string> {
    const path = `${this.path}.${randomBytes(6).toString('hex')}`;
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(ring.exportText());
      await file.sync();
    } finally {
      await file.close();
    }
    return path;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && (error as NodeJS.ErrnoException).code === code;
}
