import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { type Exclusion, exclusionType, type WantedExclusion } from '../../data/exclusion/exclusion.types.js';

/** Records that exclusions were added or deleted: in the audit trail and as events. */
@Injectable()
export class ExclusionActs {
  constructor(
    private readonly audit: AuditTrail,
    private readonly events: EventRecorder,
  ) {}

  /** Writes the entry of the audit trail. */
  async record(
    caller: KnownCaller,
    action: 'exclusion.add' | 'exclusion.delete',
    id: number,
    exclusion: WantedExclusion,
    tx: Tx,
  ): Promise<void> {
    const { typeId, reason, fromTimestamp, untilTimestamp, recurrence } = exclusion;
    const chips = exclusion.chips.map(({ text }) => text);
    const definition = {
      type: exclusionType(typeId).name,
      chips,
      reason,
      from: fromTimestamp,
      until: untilTimestamp,
      recurrence_days: recurrence && [...recurrence.days],
      recurrence_start: recurrence?.start ?? null,
      recurrence_duration_seconds: recurrence?.durationSeconds ?? null,
    };
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'exclusion', id: String(id), name: chips.join(', ') },
        changes: action === 'exclusion.add' ? changesBetween({}, definition) : changesBetween(definition, {}),
      },
      tx,
    );
  }

  /** Records the event; to be called after the commit. */
  report(caller: KnownCaller, type: 'exclusion_added' | 'exclusion_removed', exclusion: Exclusion): void {
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
