import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { type MatchOfEvent } from './match.repository.js';

const MESSAGES = {
  true: 'The match was marked right.',
  false: 'The match was marked wrong; the pattern is stricter now.',
  null: 'The verdict on the match was taken back.',
} as const;

/** Records that a match was judged. */
@Injectable()
export class MatchVerdictRecorderService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  async record(
    caller: KnownCaller,
    { id, orgId, metricId, patternId, validated }: MatchOfEvent,
    valid: boolean | null,
    tx: Tx,
  ): Promise<void> {
    const object = { type: 'match', id: String(id), name: '' };
    const changes = [{ field: 'validated', before: validated, after: valid }];
    await this.audit.record({ orgId, actor: actorOf(caller), action: 'match.validate', object, changes }, tx);
    this.events.record(
      {
        orgId,
        type: 'match_validated',
        level: 'info',
        message: MESSAGES[String(valid) as `${typeof valid}`],
        metricId,
        ref: { kind: 'match', id: String(id) },
        details: { valid, pattern_id: patternId },
        ...byCaller(caller),
      },
      tx,
    );
  }
}
