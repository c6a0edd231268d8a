import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AuditListService } from './audit-list.service.js';
import { AuditEntriesDto } from './dto/audit-entry.dto.js';
import { ListAuditEntriesParams } from './dto/audit-list.params.js';

@ApiTags('audit')
@Controller('audit')
export class AuditListController {
  constructor(private readonly entries: AuditListService) {}

  @Fetch()
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'List who changed what in the organisation',
    description:
      'Administrative acts in the window with who, from where, and the values before and after; the newest ' +
      'first. Entries are kept for 400 days and cannot be changed.',
  })
  @ApiEnvelope(AuditEntriesDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListAuditEntriesParams): Promise<AuditEntriesDto> {
    return this.entries.list(caller.org, params);
  }
}
