import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { fieldsOf } from './tuning-fields.js';
import { type TuningEntity } from './tuning.entity.js';

/** Records changes of tunings: in the audit trail and, after the commit, as events. */
@Injectable()
export class TuningActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  /** @param before null: added; `after` null: removed */
  async record(caller: KnownCaller, before: TuningEntity | null, after: TuningEntity | null, tx: Tx): Promise<void> {
    const tuning = (after ?? before)!;
    const action = before === null ? 'tuning.add' : after === null ? 'tuning.delete' : 'tuning.update';
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'tuning', id: String(tuning.id), name: nameOf(tuning) },
        changes: changesBetween(before === null ? {} : fieldsOf(before), after === null ? {} : fieldsOf(after)),
      },
      tx,
    );
    this.events.record(
      {
        orgId: caller.org.id,
        type: before === null ? 'tuning_added' : after === null ? 'tuning_removed' : 'tuning_changed',
        level: 'info',
        message: nameOf(tuning),
        ref: { kind: 'tuning', id: String(tuning.id) },
        ...byCaller(caller),
      },
      tx,
    );
  }
}

function nameOf({ name, chips }: TuningEntity): string {
  return name === '' ? chips.join(', ') : `${name}: ${chips.join(', ')}`;
}
