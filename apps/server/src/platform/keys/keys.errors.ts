import { dateOf } from '../../common/time.js';

/** The process does not have a key that the installation needs. The message names the key, never its content. */
export class WrongSecretKeyError extends Error {
  constructor(source: string, own: readonly string[], missing: readonly { id: string; usedFrom: number }[]) {
    const needed = missing.map(({ id, usedFrom }) => `${id} (used from ${dateOf(usedFrom).toISOString()})`);
    const [key, it] = missing.length === 1 ? ['key', 'it'] : ['keys', 'them'];
    super(
      `The secret key is not the one of this database. ${source} has the key ${own.join(', ')}; ` +
        `the database needs the ${key} ${needed.join(', ')}: sessions, tokens and stored credentials were made with ${it}.\n` +
        `  - Was the key changed by mistake, or the data folder replaced? Put the old one back.\n` +
        `  - To change the key, keep the old one beside it in PLUMBLINE_SECRET_KEY_PREVIOUS, and run "plumbline key rotate".\n` +
        `  - Is it lost? "plumbline key forget-previous --force" goes on without it: everybody logs in again, tokens end,\n` +
        `    and stored credentials must be entered again.`,
    );
    this.name = new.target.name;
  }
}

/** Something still needs a key that is to be removed. */
export class KeyInUseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

export class RotationRunningError extends Error {
  constructor() {
    super('Another process is changing the secret key; wait until it is done.');
    this.name = new.target.name;
  }
}
