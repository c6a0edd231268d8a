import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { exclusionType } from '../../data/exclusion/exclusion-types.functions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type WantedExclusion } from '../../data/exclusion/exclusion.types.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { byCaller } from '../../platform/event/event.functions.js';

/** Records that exclusions were added, changed or deleted: in the audit trail and, once it is committed, as events. */
@Injectable()
export class ExclusionActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  /** @param before null: added; `after` null: deleted */
  async record(
    caller: KnownCaller,
    before: WantedExclusion | null,
    after: WantedExclusion | null,
    id: number,
    tx: Tx,
  ): Promise<void> {
    const action = before === null ? 'exclusion.add' : after === null ? 'exclusion.delete' : 'exclusion.update';
    const { typeId, chips, reason } = (after ?? before)!;
    const name = chips.map(({ text }) => text).join(', ');
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'exclusion', id: String(id), name },
        changes: changesBetween(before === null ? {} : fieldsOf(before), after === null ? {} : fieldsOf(after)),
      },
      tx,
    );
    this.events.record(
      {
        orgId: caller.org.id,
        type: before === null ? 'exclusion_added' : after === null ? 'exclusion_removed' : 'exclusion_changed',
        level: 'info',
        message: `${exclusionType(typeId).name}: ${name}${reason === '' ? '' : ` (${reason})`}`,
        ref: { kind: 'exclusion', id: String(id) },
        ...byCaller(caller),
      },
      tx,
    );
  }
}

function fieldsOf({ typeId, chips, reason, fromTimestamp, untilTimestamp, recurrence }: WantedExclusion) {
  return {
    type: exclusionType(typeId).name,
    chips: chips.map(({ text }) => text),
    reason,
    from: fromTimestamp,
    until: untilTimestamp,
    recurrence_days: recurrence && [...recurrence.days],
    recurrence_start: recurrence?.start ?? null,
    recurrence_duration_seconds: recurrence?.durationSeconds ?? null,
  };
}
