import { Injectable } from '@nestjs/common';
import { type UserCaller } from '../../common/auth/caller.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { nameForOthers } from '../../people/user/user.functions.js';
import { UserService } from '../../people/user/user.service.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type ServiceChangedDto } from './dto/integration.dto.js';
import { type UserPropertiesParams } from './dto/integration.params.js';
import { foreignFields, givenOf } from './given-values.js';
import { IntegrationService, serviceOf } from './integration.service.js';
import { userFieldsOf, userValuesOf } from './user-fields.js';

/** Settings of users for themselves at a service: the same values as in their own account. */
@Injectable()
export class OwnPropertiesService {
  constructor(
    private readonly integrations: IntegrationService,
    private readonly users: UserService,
    private readonly events: EventRecorderService,
  ) {}

  /** @throws ServiceNotFoundError, ValidationFailedError */
  async update(
    caller: UserCaller,
    serviceId: string,
    judged: JudgedParams<UserPropertiesParams>,
  ): Promise<ServiceChangedDto> {
    const service = serviceOf(serviceId);
    const orgId = caller.org.id;
    const given = givenOf(judged.sound);
    judged.requireSound(foreignFields(service.userFields, given));
    const before = await this.users.getById(orgId, caller.userId);
    const after = await this.users.update(orgId, caller.userId, userFieldsOf(given));
    if (changesBetween(userValuesOf(before), userValuesOf(after)).length > 0) {
      this.events.record({
        orgId,
        type: 'user_changed',
        level: 'info',
        message: `${nameForOthers(after)} changed their own account.`,
        userId: after.id,
        ref: { kind: 'user', id: String(after.id) },
      });
    }
    const { properties, service: record } = await this.integrations.userProperties(caller, serviceId);
    return { properties, service: record, message: 'OK', details: [] };
  }
}
