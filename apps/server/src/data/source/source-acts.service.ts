import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { fieldsOf } from './source-fields.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { type SourceEntity } from './source.entity.js';

type Named = Pick<SourceEntity, 'id' | 'orgId' | 'name'>;

/** Records changes of sources, and their outcomes: in the audit trail and, after the commit, as events. */
@Injectable()
export class SourceActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
    private readonly secrets: SourceSecretsService,
  ) {}

  /** @param before null: added; `after` null: removed */
  async record(caller: KnownCaller, before: SourceEntity | null, after: SourceEntity | null, tx: Tx): Promise<void> {
    const source = (after ?? before)!;
    const action = before === null ? 'source.create' : after === null ? 'source.delete' : 'source.update';
    const secrets = ['password', 'headers_set'];
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'source', id: String(source.id), name: source.name },
        changes: changesBetween(this.auditedFields(before), this.auditedFields(after), { secrets }),
      },
      tx,
    );
    const type = before === null ? 'source_added' : after === null ? 'source_removed' : 'source_changed';
    this.events.record({ ...about(source), type, level: 'info', message: source.name, ...byCaller(caller) }, tx);
  }

  /** Whether the two differ in anything that people set. */
  isChange(before: SourceEntity, after: SourceEntity): boolean {
    return !isDeepStrictEqual(this.auditedFields(before), this.auditedFields(after));
  }

  reportFailing(source: Named, why: string): void {
    this.recordFailing(source, `The source ${source.name} cannot be read: ${why}.`, why);
  }

  reportRecovered(source: Named): void {
    const message = `The source ${source.name} is read again; what was missed is being fetched.`;
    this.events.record({ ...about(source), type: 'source_recovered', level: 'notice', message });
  }

  reportNotWrittenBack(source: Named, why: string): void {
    this.recordFailing(source, `The source ${source.name} cannot be written back to: ${why}.`, why);
  }

  reportWrittenBackAgain(source: Named): void {
    const message = `The source ${source.name} is written back to again.`;
    this.events.record({ ...about(source), type: 'source_recovered', level: 'notice', message });
  }

  private recordFailing(source: Named, message: string, error: string): void {
    this.events.record({ ...about(source), type: 'source_failing', level: 'warning', message, details: { error } });
  }

  private auditedFields(source: SourceEntity | null): object {
    if (source === null) return {};
    const { password, headers } = this.secrets.open(source);
    return { ...fieldsOf(source), password: password === '' ? null : password, headers_set: headers };
  }
}

const about = ({ id, orgId }: Named) => ({ orgId, ref: { kind: 'source', id: String(id) } });
