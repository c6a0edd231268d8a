import { Controller, Post, Put, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequireAnyPermission, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ChannelsDto, OrgInfoDto, OrgSummaryDto, OrgUpdatedDto } from './dto/org-answers.dto.js';
import { UpdateOrgParams } from './dto/update-org.params.js';
import { ChatChannels } from './chat-channels.service.js';
import { OverviewDto } from './dto/overview.dto.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgOverviewService } from './org-overview.service.js';
import { OrgSummaryService } from './org-summary.service.js';
import { OrgUpdateGuard } from './org-update.guard.js';
import { OrgUpdateService } from './org-update.service.js';

@ApiTags('org')
@Controller('org')
export class OrganisationController {
  constructor(
    private readonly infos: OrgInfoService,
    private readonly summaries: OrgSummaryService,
    private readonly updates: OrgUpdateService,
    private readonly chat: ChatChannels,
    private readonly overviews: OrgOverviewService,
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

  /** The start page: how things are, and what is new. */
  @Fetch('overview')
  @RequirePermissions(Permission.Read)
  @ApiEnvelope(OverviewDto)
  overview(@Params() _params: NoParams, @CurrentCaller() caller: KnownCaller): Promise<OverviewDto> {
    return this.overviews.of(caller);
  }

  /** Channels of the connected chat; asked for at the provider, and kept for ten minutes. */
  @Fetch('channels')
  @RequirePermissions(Permission.Read)
  @ApiEnvelope(ChannelsDto)
  channels(
    @Params() _params: NoParams,
    @CurrentCaller() caller: KnownCaller,
    @Answer() head: AnswerHead,
  ): Promise<ChannelsDto> {
    return this.chat.list(caller.org.id, head);
  }

  /** Changes settings. A caller with `alert` alone may send `alerts_muted_minutes` and nothing else. */
  @Put()
  @RequireAnyPermission(Permission.Alert, Permission.Admin)
  @UseGuards(OrgUpdateGuard)
  @ApiEnvelope(OrgUpdatedDto)
  update(@Params() params: UpdateOrgParams, @CurrentCaller() caller: KnownCaller): Promise<OrgUpdatedDto> {
    return this.updates.update(caller, params);
  }

  /** Changes settings (older form). */
  @Post('update')
  @RequireAnyPermission(Permission.Alert, Permission.Admin)
  @UseGuards(OrgUpdateGuard)
  @SupersededBy('/org')
  @ApiEnvelope(OrgUpdatedDto)
  updateByPost(@Params() params: UpdateOrgParams, @CurrentCaller() caller: KnownCaller): Promise<OrgUpdatedDto> {
    return this.updates.update(caller, params);
  }
}
