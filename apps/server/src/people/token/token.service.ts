import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { PERMISSION_NAMES, type PermissionName, toFlags } from '#libs/contracts';
import { type AuditActor, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { Clock } from '../../common/clock.js';
import { afterCommit, Transactions, type Tx } from '../../common/database/transactions.js';
import { masked, Secrets } from '../../common/secrets/secrets.js';
import { DAY, secondsOf } from '../../common/time.js';
import { OrgService } from '../org/org.service.js';
import { type TokenDto } from './dto/token.dto.js';
import { TokenActsService } from './token-acts.service.js';
import { TokenDirectoryService } from './token-directory.service.js';
import { type TokenEntity } from './token.entity.js';
import { MorePermissionsError, TokenLimitReachedError, TokenNotFoundError } from './token.errors.js';
import { TokenRepository } from './token.repository.js';

/** A new token of an organisation. */
export interface NewToken {
  name: string;
  /** Permission bits. */
  permissions: number;
  /** Null = no expiry. */
  validUntil: Date | null;
  /** Null if no user requested it. */
  createdUserId: number | null;
  /** For the audit trail; default: the calling user, otherwise the service. */
  actor?: AuditActor;
}

/** Changes of a token; omitted members keep their values. */
interface TokenChange {
  name?: string;
  /** Permission bits, a subset of the current ones. */
  permissions?: number;
  validUntil?: Date | null;
}

const PREFIX = 'pl_';
const RANDOM_BYTES = 32;
const MAX_PER_ORG = 100;
/** Time for which an expired token is still listed. */
const EXPIRED_LISTED_SECONDS = 30 * DAY;
const REF_FORM = /^ref:([1-9]\d{0,8})$/;

/** Creates, lists and removes tokens. TokenDirectoryService finds the owner of a presented one. */
@Injectable()
export class TokenService {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly directory: TokenDirectoryService,
    private readonly orgs: OrgService,
    private readonly secrets: Secrets,
    private readonly acts: TokenActsService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Only this answer shows the whole token to every user. @throws TokenLimitReachedError */
  async create(orgId: number, token: NewToken, tx?: Tx): Promise<TokenDto> {
    return tx ? this.createIn(orgId, token, tx) : this.transactions.run((own) => this.createIn(orgId, token, own));
  }

  /** Newest last; tokens that expired long ago are omitted. `whole` shows the full tokens. */
  async list(orgId: number, whole: boolean): Promise<TokenDto[]> {
    const rows = await this.tokens.list(orgId, this.at(-EXPIRED_LISTED_SECONDS));
    return rows.map((row) => toTokenDto(row, this.copyOf(row), whole));
  }

  /** Call it before whole tokens are shown. */
  recordReveal(orgId: number, actor: AuditActor): Promise<void> {
    return this.transactions.run((tx) => this.acts.recordReveal(orgId, actor, tx));
  }

  /**
   * Changes only the given members; a token never gets more permissions than it has.
   * @throws TokenNotFoundError also for a deleted token, MorePermissionsError
   */
  async update(orgId: number, tokenOrRef: string, change: TokenChange, actor: AuditActor): Promise<TokenDto> {
    const { ref } = await this.find(orgId, tokenOrRef);
    const row = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.tokens.findByRef(orgId, ref, tx);
      if (before?.deletedAt !== null) throw new TokenNotFoundError();
      const { name = before.name, permissions = before.permissions, validUntil = before.validUntil } = change;
      const added = permissions & ~before.permissions;
      if (added !== 0) throw new MorePermissionsError(namesOf(added));
      const after = Object.assign({}, before, { name, permissions, validUntil });
      const [was, is] = [before, after].map((one) => toTokenDto(one, null, false));
      if (!(await this.acts.recordChange(actor, after, was!, is!, tx))) return before;
      await this.tokens.update(orgId, ref, { name, permissions, validUntil }, tx);
      this.forgetOnceCommitted(ref, tx);
      return after;
    });
    return toTokenDto(row, this.copyOf(row), false);
  }

  /**
   * Deletes a token, identified by its text or by `ref:7`. A deleted token stays unchanged. @throws TokenNotFoundError
   */
  async delete(orgId: number, tokenOrRef: string, actor: AuditActor = SYSTEM_ACTOR): Promise<TokenDto> {
    const token = await this.find(orgId, tokenOrRef);
    await this.transactions.run(async (tx) => {
      this.forgetOnceCommitted(token.ref, tx);
      if (await this.tokens.delete(orgId, token.ref, this.at(), tx)) await this.acts.recordRemoval(actor, token, tx);
    });
    return toTokenDto(token, this.copyOf(token), false);
  }

  private async createIn(orgId: number, { actor, ...token }: NewToken, tx: Tx): Promise<TokenDto> {
    await this.orgs.lock(orgId, tx);
    const live = await this.tokens.list(orgId, this.at(), tx);
    if (live.length >= MAX_PER_ORG) throw new TokenLimitReachedError(MAX_PER_ORG);
    const text = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
    const row = await this.tokens.insert(
      {
        ...token,
        orgId,
        hash: this.directory.hash(text),
        sealed: this.secrets.seal('token', sealedFor(orgId), text),
        createdAt: this.at(),
      },
      tx,
    );
    const dto = toTokenDto(row, text, true);
    const { createdUserId: userId } = token;
    const creator = actor ?? (userId === null ? SYSTEM_ACTOR : ({ type: 'user', userId } as const));
    await this.acts.recordCreation(creator, row, dto, actor !== undefined && actor !== SYSTEM_ACTOR, tx);
    return dto;
  }

  private forgetOnceCommitted(ref: number, tx: Tx): void {
    afterCommit(tx, () => {
      this.directory.forget(ref);
    });
  }

  private async find(orgId: number, tokenOrRef: string): Promise<TokenEntity> {
    const ref = REF_FORM.exec(tokenOrRef)?.[1];
    const token =
      ref === undefined
        ? await this.tokens.findByHash(orgId, this.directory.hashes(tokenOrRef))
        : await this.tokens.findByRef(orgId, Number(ref));
    if (!token) throw new TokenNotFoundError();
    return token;
  }

  private copyOf(token: TokenEntity): string | null {
    return this.secrets.tryOpen('token', sealedFor(token.orgId), token.sealed);
  }

  private at(offsetSeconds = 0): Date {
    return new Date((this.clock.now() + offsetSeconds) * 1000);
  }
}

/** A sealed copy can be opened only in the organisation for which it was created. */
const sealedFor = (orgId: number): string => `org/${String(orgId)}`;

function namesOf(permissions: number): PermissionName[] {
  const flags = toFlags(permissions);
  return PERMISSION_NAMES.filter((name) => flags[name]);
}

/** The Token record. `text` is the token itself, null if its copy can no longer be opened. */
function toTokenDto(token: TokenEntity, text: string | null, whole: boolean): TokenDto {
  return {
    id: whole && text !== null ? text : masked(text ?? ''),
    org_id: token.orgId,
    valid_until: secondsOrNull(token.validUntil),
    permissions: toFlags(token.permissions),
    ref: token.ref,
    name: token.name,
    created_timestamp: secondsOrNull(token.createdAt) ?? 0,
    created_user_id: token.createdUserId,
    last_used_timestamp: secondsOrNull(token.lastUsedAt),
  };
}

const secondsOrNull = (date: Date | null): number | null => (date === null ? null : secondsOf(date));
