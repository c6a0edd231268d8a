import { Injectable } from '@nestjs/common';
import { type CallerOrg, type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { UserService } from '../../people/user/user.service.js';
import { isInForce } from './exclusion-schedule.js';
import { exclusionType } from './exclusion-types.functions.js';
import { ExclusionRepository } from './exclusion.repository.js';
import { type Exclusion } from './exclusion.types.js';
import { type ExclusionDto } from './exclusion.dto.js';

/** Records of exclusions. */
@Injectable()
export class ExclusionPresenterService {
  constructor(
    private readonly exclusions: ExclusionRepository,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  async present(caller: KnownCaller, exclusions: readonly Exclusion[]): Promise<ExclusionDto[]> {
    const { org } = caller;
    const creators = exclusions.map(({ createdBy }) => createdBy);
    const chips = exclusions.map((exclusion) => exclusion.chips);
    const [names, counts] = await Promise.all([
      this.users.displayNames(caller, creators),
      this.exclusions.countMetricsOfEach(org.id, chips),
    ]);
    return exclusions.map((exclusion, index) => ({
      id: exclusion.id,
      type_id: exclusion.typeId,
      type: exclusionType(exclusion.typeId).code,
      chips: exclusion.chips.map(({ text }) => text),
      reason: exclusion.reason,
      metrics_count: counts[index]!,
      from_timestamp: exclusion.fromTimestamp,
      until_timestamp: exclusion.untilTimestamp,
      recurrence: exclusion.recurrence && {
        days: [...exclusion.recurrence.days],
        start: exclusion.recurrence.start,
        duration_seconds: exclusion.recurrence.durationSeconds,
        timezone: org.timezone,
      },
      active: this.isInForce(exclusion, org),
      created_timestamp: exclusion.createdTimestamp,
      created_by: exclusion.createdBy,
      created_by_display_name: exclusion.createdBy === null ? null : (names.get(exclusion.createdBy) ?? null),
    }));
  }

  isInForce(exclusion: Exclusion, { timezone }: Pick<CallerOrg, 'timezone'>): boolean {
    return isInForce(exclusion, this.clock.now(), timezone);
  }
}
