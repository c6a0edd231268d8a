import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditActor } from '../../platform/audit/audit.types.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type Tx } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { type TokenDto } from './dto/token.dto.js';
import { type TokenEntity } from './token.entity.js';

/** Identifies a token by its harmless handle. */
type Named = Pick<TokenEntity, 'orgId' | 'ref' | 'name'>;

/** Records acts on tokens: audit entries within the transaction, events after it. */
@Injectable()
export class TokenActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  /** @param isNews false: the service creates the token itself, without an event */
  async recordCreation(
    actor: AuditActor,
    token: Named,
    { permissions, valid_until }: TokenDto,
    hasEvent: boolean,
    tx: Tx,
  ): Promise<void> {
    const changes = changesBetween({}, { permissions, valid_until });
    await this.audit.record(
      { orgId: token.orgId, actor, action: 'token.create', object: objectOf(token), changes },
      tx,
    );
    if (hasEvent) this.report('token_created', actor, token, `The token "${token.name}" was created.`, tx);
  }

  /** Returns true if anything differs. */
  async recordChange(actor: AuditActor, token: Named, before: TokenDto, after: TokenDto, tx: Tx): Promise<boolean> {
    const changes = changesBetween(fieldsOf(before), fieldsOf(after));
    if (changes.length === 0) return false;
    await this.audit.record(
      { orgId: token.orgId, actor, action: 'token.update', object: objectOf(token), changes },
      tx,
    );
    this.report('token_changed', actor, token, `The token "${token.name}" was changed.`, tx);
    return true;
  }

  async recordRemoval(actor: AuditActor, token: Named, tx: Tx): Promise<void> {
    await this.audit.record({ orgId: token.orgId, actor, action: 'token.delete', object: objectOf(token) }, tx);
    this.report('token_removed', actor, token, `The token "${token.name}" was removed.`, tx);
  }

  async recordReveal(orgId: number, actor: AuditActor, tx: Tx): Promise<void> {
    await this.audit.record({ orgId, actor, action: 'token.reveal', object: { type: 'tokens', id: '', name: '' } }, tx);
  }

  private report(
    type: 'token_created' | 'token_changed' | 'token_removed',
    actor: AuditActor,
    token: Named,
    message: string,
    tx: Tx,
  ): void {
    this.events.record(
      {
        orgId: token.orgId,
        type,
        level: 'info',
        message,
        ...(actor.type === 'user' ? { userId: actor.userId } : {}),
        ref: { kind: 'token', id: String(token.ref) },
      },
      tx,
    );
  }
}

const objectOf = ({ ref, name }: Named) => ({ type: 'token', id: String(ref), name });

const fieldsOf = ({ name, permissions, valid_until }: TokenDto) => ({ name, permissions, valid_until });
