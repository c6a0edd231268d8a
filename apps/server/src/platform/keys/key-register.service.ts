import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../audit/audit-trail.service.js';
import { type AuditActor, SYSTEM_ACTOR } from '../audit/audit.types.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { KeySource } from '../../common/secrets/key-source.js';
import { type SecretKey } from '../../common/secrets/secret-key.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { WrongSecretKeyError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';
import { type KnownKey } from './keys.types.js';

/** Remembers which keys the installation needs, and compares them with the keys of a process. */
@Injectable()
export class KeyRegisterService {
  constructor(
    private readonly keys: KeysRepository,
    private readonly secrets: Secrets,
    private readonly source: KeySource,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Call it before anything is sealed or hashed. @throws WrongSecretKeyError */
  async admit(): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.keys.lock(tx);
      await this.check(tx);
      const now = this.clock.now();
      await this.recordKey(this.secrets.ring.currentAt(now), now, SYSTEM_ACTOR, tx);
    });
  }

  /** @throws WrongSecretKeyError if the process lacks a key that is needed */
  async check(tx?: Tx): Promise<void> {
    const known = await this.keys.knownKeys(tx);
    // The file may have changed since this process read it.
    if (this.missing(known).length > 0 && this.source.file) this.secrets.use(await this.source.read());
    const missing = this.missing(known);
    if (missing.length === 0) return;
    const own = this.secrets.ring.keys.map(({ key }) => key.id);
    throw new WrongSecretKeyError(this.source.name, own, missing);
  }

  /**
   * Records that the installation needs this key from a time on (Unix seconds). The audit trail gets an entry unless it
   * is the first key.
   */
  async recordKey(key: SecretKey, usedFrom: number, actor: AuditActor, tx: Tx): Promise<void> {
    const known = await this.keys.knownKeys(tx);
    if (known.some(({ id }) => id === key.id)) return;
    await this.keys.insertKey({ id: key.id, checkValue: key.checkValue(), usedFrom }, tx);
    if (known.length > 0) await this.recordAct('key.rotate', known[0]!.id, key.id, actor, tx);
  }

  /** Records that the installation needs only this key. Time in Unix seconds. */
  async forgetOthers(key: SecretKey, at: number, actor: AuditActor, tx: Tx): Promise<void> {
    const others = (await this.keys.knownKeys(tx)).filter(({ id }) => id !== key.id);
    await this.keys.forgetKeysBesides(key.id, at, tx);
    for (const { id } of others) await this.recordAct('key.forget', id, null, actor, tx);
  }

  private missing(known: readonly KnownKey[]): KnownKey[] {
    const { ring } = this.secrets;
    return known.filter(({ id, checkValue }) => ring.find(id)?.checkValue().equals(checkValue) !== true);
  }

  /** In the audit trail of every organisation: it concerns the credentials of all. */
  private async recordAct(
    action: string,
    before: string,
    after: string | null,
    actor: AuditActor,
    tx: Tx,
  ): Promise<void> {
    const object = { type: 'key', id: after ?? before, name: 'secret key of the installation' };
    const changes = [{ field: 'key_id', before, after }];
    for (const orgId of await this.keys.orgIds(tx)) {
      await this.audit.record({ orgId, actor, action, object, changes }, tx);
    }
  }
}
