import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { OPERATOR_ACTOR } from '../audit/audit.types.js';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions } from '../../common/database/transactions.js';
import { KEY_FILE_LOOK_SECONDS } from '../../common/secrets/key-file-watch.js';
import { type KeyFile } from '../../common/secrets/key-file.js';
import { type RingKey } from '../../common/secrets/key-ring.js';
import { KeySource } from '../../common/secrets/key-source.js';
import { SecretKey } from '../../common/secrets/secret-key.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DAY, dateOf } from '../../common/time.js';
import { KeyRegisterService } from './key-register.service.js';
import { KeyInUseError, RotationRunningError } from './keys.errors.js';
import { KeysRepository, type ResealedRow, type SealedRow } from './keys.repository.js';
import { type HashedCount, SEALED_COLUMNS, type SealedColumn, type SealedCount } from './keys.types.js';

/** First key of the advisory lock that allows one rotation at a time. */
const LOCK_SPACE = DATABASE_LOCKS.keyRotation.number;
const BATCH = 200;
/** Time from writing a new key until it is used: by then every process has read it. */
const SWITCH_SECONDS = 5 * KEY_FILE_LOOK_SECONDS;
/** Validity of signed addresses in mails and chats. */
const SIGNED_SECONDS = 30 * DAY;

/** How `rotate` reports its progress, and how it waits. */
export interface RotationOptions {
  log(line: string): void;
  pause(seconds: number): Promise<void>;
}

export interface Rotated {
  keyId: string;
  moved: number;
  /** Copies that no available key can open. */
  unreadable: number;
  /** Copies whose rows were locked; the next run processes them. */
  left: number;
}

/** Times in Unix seconds. */
export interface KeyStatus {
  source: string;
  keys: {
    id: string;
    state: 'in use' | 'next' | 'previous' | 'missing';
    usedFrom: number | null;
    sealed: number;
  }[];
  sealed: readonly SealedCount[];
  /** Objects that become invalid with the previous keys; empty if there are none. */
  hashed: readonly HashedCount[];
  /** Latest validity of addresses that a previous key has signed; null if there are none. */
  signedUntil: number | null;
}

/** Changes the secret key of the installation while it runs. */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly keys: KeysRepository,
    private readonly register: KeyRegisterService,
    private readonly secrets: Secrets,
    private readonly source: KeySource,
    private readonly transactions: Transactions,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  async status(): Promise<KeyStatus> {
    const now = this.clock.now();
    const { ring } = this.secrets;
    const current = ring.currentAt(now);
    const [sealed, known] = await Promise.all([this.keys.sealedCountsOfEveryOrg(), this.keys.knownKeys()]);
    const countOf = (keyId: string) =>
      sealed.filter((one) => one.keyId === keyId).reduce((sum, { count }) => sum + count, 0);
    const usedFromOf = (keyId: string) => known.find(({ id }) => id === keyId)?.usedFrom ?? null;
    const own = ring.keys.map(({ key: { id }, usedFrom }) => {
      const isNext = usedFrom !== null && usedFrom > now;
      const state = id === current.id ? ('in use' as const) : isNext ? ('next' as const) : ('previous' as const);
      return { id, state, usedFrom: usedFromOf(id) ?? usedFrom, sealed: countOf(id) };
    });
    const missing = [...new Set([...known.map(({ id }) => id), ...sealed.map(({ keyId }) => keyId)])]
      .filter((id) => ring.find(id) === undefined)
      .map((id) => ({ id, state: 'missing' as const, usedFrom: usedFromOf(id), sealed: countOf(id) }));
    const all = [...own, ...missing];
    const switchedAt = usedFromOf(current.id);
    const hasPrevious = all.some(({ state }) => state === 'previous' || state === 'missing') && switchedAt !== null;
    const isSigned = hasPrevious && switchedAt + SIGNED_SECONDS > now;
    return {
      source: this.source.name,
      keys: all,
      sealed,
      hashed: hasPrevious ? await this.keys.hashedCountsOfEveryOrg(switchedAt, now) : [],
      signedUntil: isSigned ? switchedAt + SIGNED_SECONDS : null,
    };
  }

  /**
   * Seals everything under the newest key. If the keys are in a file and everything is sealed under the newest one
   * already, it generates a new key first; so a call finishes an interrupted rotation.
   * @throws RotationRunningError, WrongSecretKeyError
   */
  async rotate(options: RotationOptions): Promise<Rotated> {
    await this.register.check();
    let rotated: Rotated | undefined;
    const ran = await this.locks.runAlone(LOCK_SPACE, 0, async () => {
      const { file } = this.source;
      if (file) this.secrets.use(await file.readOrCreate());
      rotated = await this.moveTo(this.secrets.ring.keys[0]!, options);
      if (rotated.moved > 0 || !file) return;
      rotated = await this.moveTo(await this.makeKey(file, options), options);
    });
    if (!ran || !rotated) throw new RotationRunningError();
    return rotated;
  }

  /**
   * Removes all keys except the current one, from the register and from the file.
   * @param isForced true: also if objects become invalid
   * @throws KeyInUseError
   */
  async forgetPrevious(isForced: boolean): Promise<KeyStatus> {
    const { file } = this.source;
    if (file) this.secrets.use(await file.readOrCreate());
    const status = await this.status();
    if (!isForced) refuseWhileNeeded(status);
    const now = this.clock.now();
    const current = this.secrets.ring.currentAt(now);
    await this.transactions.run(async (tx) => {
      await this.keys.lock(tx);
      await this.register.recordKey(current, now, OPERATOR_ACTOR, tx);
      await this.register.forgetOthers(current, now, OPERATOR_ACTOR, tx);
    });
    const ring = this.secrets.ring.onlyCurrentAt(now);
    await file?.replace(ring);
    this.secrets.use(ring);
    return status;
  }

  /** The file first: a key that the database requires and no process has would keep every process from starting. */
  private async makeKey(file: KeyFile, { log }: RotationOptions): Promise<RingKey> {
    const key = SecretKey.generate();
    const ring = this.secrets.ring.with(key, Math.ceil(this.clock.now()) + SWITCH_SECONDS);
    await file.replace(ring);
    this.secrets.use(ring);
    log(`Generated the key ${key.id}, in ${file.path} beside the previous one`);
    return ring.keys[0]!;
  }

  private async moveTo({ key, usedFrom }: RingKey, { log, pause }: RotationOptions): Promise<Rotated> {
    await this.transactions.run(async (tx) => {
      await this.keys.lock(tx);
      await this.register.recordKey(key, usedFrom ?? this.clock.now(), OPERATOR_ACTOR, tx);
    });
    const seconds = (usedFrom ?? 0) - this.clock.now();
    if (seconds > 0) {
      log(`Waiting ${String(Math.ceil(seconds))} s, until every process knows the new key`);
      await pause(seconds);
    }
    let moved = 0;
    for (;;) {
      const round = await this.moveRound(key, log);
      moved += round.moved;
      // Repeat until nothing is left: processes may have sealed something under the previous key in the meantime.
      if (round.moved > 0) continue;
      const others = (await this.keys.sealedCountsOfEveryOrg()).filter(({ keyId }) => keyId !== key.id);
      const left = others.reduce((sum, { count }) => sum + count, 0) - round.unreadable;
      return { keyId: key.id, moved, unreadable: round.unreadable, left: Math.max(0, left) };
    }
  }

  private async moveRound(key: SecretKey, log: RotationOptions['log']): Promise<Moved> {
    const total: Moved = { moved: 0, unreadable: 0 };
    for (const column of SEALED_COLUMNS) {
      const { moved, unreadable } = await this.moveColumn(column, key);
      if (moved > 0) log(`${column.table}.${column.column}: ${String(moved)} moved`);
      total.moved += moved;
      total.unreadable += unreadable;
    }
    return total;
  }

  private async moveColumn(column: SealedColumn, key: SecretKey): Promise<Moved> {
    const total: Moved = { moved: 0, unreadable: 0 };
    let after: string | null = null;
    for (;;) {
      const from: string | null = after;
      const { rows, moved } = await this.transactions.run(async (tx) => {
        const rows = await this.keys.lockSealedOfEveryOrg(column, key.id, from, BATCH, tx);
        const resealed = rows.flatMap((row) => this.reseal(column, row) ?? []);
        if (resealed.length > 0) await this.keys.updateSealedOfEveryOrg(column, resealed, tx);
        return { rows, moved: resealed.length };
      });
      total.moved += moved;
      total.unreadable += rows.length - moved;
      if (rows.length < BATCH) return total;
      after = rows.at(-1)!.rowKey;
    }
  }

  private reseal({ purpose, hash }: SealedColumn, { rowKey, sealed, boundTo }: SealedRow): ResealedRow | undefined {
    const text = this.secrets.tryOpen(purpose, boundTo, sealed);
    if (text === null) return undefined;
    return {
      rowKey,
      sealed: this.secrets.seal(purpose, boundTo, text),
      hash: hash ? this.secrets.keyedHash(hash.purpose, text) : null,
    };
  }
}

interface Moved {
  moved: number;
  unreadable: number;
}

/** @throws KeyInUseError */
function refuseWhileNeeded({ keys, hashed, signedUntil }: KeyStatus): void {
  const missing = keys.filter(({ state }) => state === 'missing').map(({ id }) => id);
  if (missing.length > 0) {
    throw new KeyInUseError(
      `This process does not have ${missing.join(', ')}: everything encrypted or hashed with it becomes invalid, including tokens ` +
        'and stored credentials. Use --force if the key is lost.',
    );
  }
  if (keys.some(({ state }) => state === 'next')) {
    throw new KeyInUseError('A new key is about to be used; run "plumbline key rotate" to finish the change.');
  }
  if (keys.some(({ state, sealed }) => state === 'previous' && sealed > 0)) {
    throw new KeyInUseError('Something is sealed under a previous key; run "plumbline key rotate" first.');
  }
  const ends = hashed.map(({ name, count }) => `${String(count)} ${name}`);
  if (signedUntil !== null) ends.push(`links to graphs in mails and chats (until ${isoOf(signedUntil)})`);
  if (ends.length > 0) {
    throw new KeyInUseError(
      `These become invalid with the previous key: ${ends.join(', ')}. Use --force to end them now.`,
    );
  }
}

const isoOf = (seconds: number): string => dateOf(seconds).toISOString();
