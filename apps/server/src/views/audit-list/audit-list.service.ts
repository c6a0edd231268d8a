import { Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { pageOf } from '../../common/paging/paging.js';
import { resolveWindow } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { AuditListRepository } from './audit-list.repository.js';
import { type AuditEntriesDto, toAuditEntryDto } from './dto/audit-entry.dto.js';
import { type ListAuditEntriesParams } from './dto/audit-list.params.js';

/** Lists the acts on an organisation. */
@Injectable()
export class AuditListService {
  constructor(
    private readonly entries: AuditListRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async list(org: CallerOrg, query: ListAuditEntriesParams): Promise<AuditEntriesDto> {
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(org.id);
    const { from, until } = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const { user_id: userId, action: actionPrefix, object_type: objectType } = query;
    const { entries, total } = await this.entries.findPage(
      org.id,
      { from, until, userId, actionPrefix, objectType },
      query,
    );
    return {
      entries: entries.map((entry) => toAuditEntryDto(entry, org.timezone)),
      from,
      until,
      ...pageOf(query, total),
    };
  }
}
