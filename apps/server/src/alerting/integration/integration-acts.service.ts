import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditActor, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { isWhole } from './integration-settings.service.js';
import { type ServiceDefinition, type StoredValues } from './service-definition.types.js';

interface Change {
  before: StoredValues;
  after: StoredValues;
}

/** Records changes of settings, and reports them after the commit. `caller` null: the service itself. */
@Injectable()
export class IntegrationActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  /**
   * Returns whether anything has changed.
   * @param why follows the sentence of the event
   */
  async recordChange(
    caller: KnownCaller | null,
    orgId: number,
    service: ServiceDefinition,
    { before, after, why = '' }: Change & { why?: string },
    tx: Tx,
  ): Promise<boolean> {
    const secrets = Object.keys(service.orgFields).filter((name) => service.orgFields[name]!.type === 'secret');
    const changes = changesBetween(before, after, { secrets: [...secrets, ...(service.ownSecrets ?? [])] });
    if (changes.length === 0) return false;
    const actor: AuditActor = caller === null ? SYSTEM_ACTOR : actorOf(caller);
    const object = { type: 'integration', id: service.id, name: service.name };
    await this.audit.record({ orgId, actor, action: 'integration.update', object, changes }, tx);
    this.events.record(
      {
        orgId,
        ...(caller === null ? {} : byCaller(caller)),
        type: 'integration_changed',
        level: caller === null ? 'warning' : 'info',
        message: `${sentence(service, { before, after })}${why}`,
        ref: { kind: 'integration', id: service.id },
      },
      tx,
    );
    return true;
  }
}

function sentence(service: ServiceDefinition, { before, after }: Change): string {
  const [was, is] = [isInUse(service, before), isInUse(service, after)];
  if (was === is) return `The settings of ${service.name} were changed.`;
  if (is) return `${service.name} was connected.`;
  return service.isSwitchedOff?.(after) === true
    ? `${service.name} was switched off.`
    : `${service.name} was disconnected.`;
}

const isInUse = (service: ServiceDefinition, values: StoredValues): boolean =>
  service.isSwitchedOff?.(values) !== true && isWhole(service, values);
