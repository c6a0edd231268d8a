import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { COMMON_PASSWORDS } from '../../common/validation/common-passwords.js';
import { ParamProblem } from '../../common/validation/param-kind.js';
import { characters, cleanText } from '../../common/validation/param-text.js';
import { TooManyLoginsError } from './user.errors.js';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/** argon2id with 19 MiB, two passes, one lane: the first choice of the OWASP password storage cheat sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash at the same cost that no password fits. Verifying against it makes an unknown account take the time of a known
 * one.
 */
const NOBODY = `$argon2id$v=19$m=${String(COST.memoryCost)},t=${String(COST.timeCost)},p=${String(COST.parallelism)}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/** At once, at 19 MiB each. One of Node's four native threads at least stays free for files and names of hosts. */
const HASHES_AT_ONCE = Math.min(3, Math.max(1, availableParallelism()));
/** Some seconds of waiting; later callers are asked to retry. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 2;

/** Hashes run in native threads: the event loop stays free. Few run at once, so that a flood takes no memory. */
@Injectable()
export class PasswordService {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** What is wrong with a password that is being chosen, as the rest of "The password …"; undefined when nothing is. */
  problem(password: string, email: string): string | undefined {
    const text = cleanText(password);
    if (text instanceof ParamProblem) return 'must not contain control characters';
    const length = characters(text);
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      return `must have ${String(MIN_LENGTH)} to ${String(MAX_LENGTH)} characters, it has ${String(length)}`;
    }
    if (COMMON_PASSWORDS.has(text.toLowerCase())) return 'is on the list of common passwords';
    if (text.toLowerCase() === email.toLowerCase()) return 'must differ from the e-mail address';
    return undefined;
  }

  /** @throws TooManyLoginsError */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normalised(password), COST));
  }

  /**
   * Whether the password fits. Without a hash (no such account, no password set) it takes as long and fits never.
   * @throws TooManyLoginsError
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await this.inTurn(() => verify(passwordHash ?? NOBODY, normalised(password)));
    return fits && passwordHash !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= HASHES_AT_ONCE) {
      if (this.waiting.length >= MAX_WAITING) throw new TooManyLoginsError(RETRY_SECONDS);
      // A finished check passes its place on, so `running` stays as it is.
      await new Promise<void>((go) => this.waiting.push(go));
    } else {
      this.running++;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

/** As parameters arrive, so that a password set by a setting or a command fits when it is typed into a form. */
function normalised(password: string): string {
  return password.trim().normalize('NFC');
}
