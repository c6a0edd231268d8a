import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { type Exclusion, exclusionType, type WantedExclusion } from '../../data/exclusion/exclusion.types.js';

/** Records that exclusions were added, changed or deleted: in the audit trail and as events. */
@Injectable()
export class ExclusionActs {
  constructor(
    private readonly audit: AuditTrail,
    private readonly events: EventRecorder,
  ) {}

  /**
   * Writes the entry of the audit trail.
   * @param before null: added; `after` null: deleted
   */
  async record(
    caller: KnownCaller,
    before: WantedExclusion | null,
    after: WantedExclusion | null,
    id: number,
    tx: Tx,
  ): Promise<void> {
    const action = before === null ? 'exclusion.add' : after === null ? 'exclusion.delete' : 'exclusion.update';
    const name = (after ?? before)!.chips.map(({ text }) => text).join(', ');
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
  }

  /** Records the event; to be called after the commit. */
  report(
    caller: KnownCaller,
    type: 'exclusion_added' | 'exclusion_changed' | 'exclusion_removed',
    exclusion: Exclusion,
  ): void {
    const chips = exclusion.chips.map(({ text }) => text).join(', ');
    const { name } = exclusionType(exclusion.typeId);
    this.events.record({
      orgId: caller.org.id,
      type,
      level: 'info',
      message: `${name}: ${chips}${exclusion.reason === '' ? '' : ` (${exclusion.reason})`}`,
      ref: { kind: 'exclusion', id: String(exclusion.id) },
      ...byCaller(caller),
    });
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
