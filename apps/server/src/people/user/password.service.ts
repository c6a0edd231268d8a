import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { addressKey } from '../../common/http/client-address.js';
import { currentRequest } from '../../common/http/request-context.js';
import { COMMON_PASSWORDS } from '../../common/validation/common-passwords.js';
import { ParamProblem } from '../../common/validation/param-kind.js';
import { characters, cleanText } from '../../common/validation/param-text.js';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;

/** argon2id with 19 MiB, two passes, one lane: the first choice of the OWASP password storage cheat sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash of the same cost that no password matches. Verifying against it makes the check for an unknown account take as
 * long as for a known one.
 */
const NOBODY = `$argon2id$v=19$m=${String(COST.memoryCost)},t=${String(COST.timeCost)},p=${String(COST.parallelism)}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/**
 * Maximum number of concurrent hashes, at 19 MiB and one processor each. One processor stays free for other work, and
 * at least one of Node's four native threads for files and host names.
 */
const HASHES_AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));
/**
 * Maximum number of waiting hashes, of all addresses and of one: some seconds of waiting. Later callers are asked to
 * retry.
 */
const WAITING = 100;
const WAITING_PER_ADDRESS = 20;

/**
 * Hashes run in native threads: the event loop stays free. Few run at the same time, in rotation between addresses, so
 * that a flood needs little memory and does not keep others from logging in.
 */
@Injectable()
export class PasswordService {
  private readonly turns: FairQueue;

  constructor(registry: FairQueueRegistry) {
    this.turns = registry.open('passwords', {
      slots: HASHES_AT_ONCE,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ADDRESS,
    });
  }

  /** Returns the problem of a new password, as the rest of "The password …"; undefined if there is none. */
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

  /** @throws OverloadedError if too many wait; ClientGoneError */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normalised(password), COST));
  }

  /**
   * True if the password is correct. Without a hash (no such account, no password set) the check takes equally long and
   * never succeeds.
   * @throws OverloadedError if too many wait; ClientGoneError
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await this.inTurn(() => verify(passwordHash ?? NOBODY, normalised(password)));
    return fits && passwordHash !== null;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const context = currentRequest.getStore();
    const party = context === undefined ? 'the process itself' : `address:${addressKey(context.address)}`;
    return this.turns.run(party, work, context?.gone);
  }
}

/** Normalises like parameters, so that a password from a setting or a command matches when it is typed into a form. */
function normalised(password: string): string {
  return password.trim().normalize('NFC');
}
