import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../common/auth/access.decorators.js';
import { type KnownCaller } from '../common/auth/caller.js';
import { ApiEnvelope } from '../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../common/http/fetch.decorator.js';
import { NoParams } from '../common/validation/no-params.js';
import { Params } from '../common/validation/params.decorator.js';
import { OrgInfoDto, OrgSummaryDto } from './dto/org-answers.dto.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgSummaryService } from './org-summary.service.js';

@ApiTags('org')
@Controller('org')
export class OrgController {
  constructor(
    private readonly infos: OrgInfoService,
    private readonly summaries: OrgSummaryService,
  ) {}

  /** The organisation: settings, recipients, administrators, addresses. */
  @Fetch('info')
  @RequirePermissions(Permission.Read)
  @ApiEnvelope(OrgInfoDto)
  info(@Params() _params: NoParams, @CurrentCaller() caller: KnownCaller): Promise<OrgInfoDto> {
    return this.infos.of(caller);
  }

  /** Counts of everything the organisation has. */
  @Fetch('summary')
  @RequirePermissions(Permission.Read)
  @ApiEnvelope(OrgSummaryDto)
  summary(@Params() _params: NoParams, @CurrentCaller() caller: KnownCaller): Promise<OrgSummaryDto> {
    return this.summaries.of(caller.org.id);
  }
}
