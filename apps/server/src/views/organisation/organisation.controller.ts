import { Controller, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { type Request } from 'express';
import { CurrentCaller, RequireOneFor, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy, Uncompressed } from '../../common/http/answer.decorators.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { NoParams } from '../../common/validation/no-params.js';
import { paramsOf } from '../../common/validation/param-registry.js';
import { Params } from '../../common/validation/params.decorator.js';
import { gatherParameters } from '../../common/validation/request-parameters.js';
import { ChannelsDto, OrgInfoDto, OrgSummaryDto, OrgUpdatedDto } from './dto/org-answers.dto.js';
import { MUTING_PARAM, UpdateOrgParams } from './dto/update-org.params.js';
import { ChatChannelsService } from './chat-channels.service.js';
import { OverviewDto } from './dto/overview.dto.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgOverviewService } from './org-overview.service.js';
import { OrgSummaryService } from './org-summary.service.js';
import { OrgUpdateService } from './org-update.service.js';

@ApiTags('org')
@Controller('org')
export class OrganisationController {
  constructor(
    private readonly infos: OrgInfoService,
    private readonly summaries: OrgSummaryService,
    private readonly updates: OrgUpdateService,
    private readonly chat: ChatChannelsService,
    private readonly overviews: OrgOverviewService,
  ) {}

  @Fetch('info')
  @RequirePermissions(Permission.Read)
  @Uncompressed()
  @ApiOperation({
    summary: 'Get the organisation: settings, recipients, administrators, addresses',
    description:
      'The organisation block with plan and number of users: what is configured, who gets alerts, and the ' +
      'addresses for agents. Contact data and secrets are masked for callers who are not administrators.',
  })
  @ApiEnvelope(OrgInfoDto)
  info(@CurrentCaller() caller: KnownCaller, @Params() _params: NoParams): Promise<OrgInfoDto> {
    return this.infos.getInfo(caller);
  }

  @Fetch('summary')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Count everything the organisation has',
    description:
      'Numbers of metrics, anomalies, matches, patterns, incidents, alerts, watchers and users, by state and ' +
      'by the last day, week and month.',
  })
  @ApiEnvelope(OrgSummaryDto)
  summary(@CurrentCaller() caller: KnownCaller, @Params() _params: NoParams): Promise<OrgSummaryDto> {
    return this.summaries.getSummary(caller.org.id);
  }

  @Fetch('overview')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get the overview of the organisation: its state, and what is new',
    description:
      'What a start page shows in one call: onboarding, counts, the newest anomalies and matches, the most ' +
      'anomalous metrics, and the latest events.',
  })
  @ApiEnvelope(OverviewDto)
  overview(@CurrentCaller() caller: KnownCaller, @Params() _params: NoParams): Promise<OverviewDto> {
    return this.overviews.getOverview(caller);
  }

  @Fetch('channels')
  @RequirePermissions(Permission.Read)
  @Throws('upstream_failed', 'not_configured')
  @ApiOperation({
    summary: 'List the channels of the connected chat',
    description: 'Requested from the provider, and cached for ten minutes. 503 while no chat is connected.',
  })
  @ApiEnvelope(ChannelsDto)
  channels(
    @CurrentCaller() caller: KnownCaller,
    @Params() _params: NoParams,
    @Answer() head: AnswerHead,
  ): Promise<ChannelsDto> {
    return this.chat.list(caller.org.id, head);
  }

  @Put()
  @RequireOneFor(permissionsToUpdate, Permission.Alert, Permission.Admin)
  @ApiOperation({
    summary: 'Change settings of the organisation',
    description:
      'Only the members that are sent change: name, time zone, muting of alerts, recipients, retention. A ' +
      'caller with `alert` alone may send `alerts_muted_minutes` and nothing else.',
  })
  @ApiEnvelope(OrgUpdatedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @Params(UpdateOrgParams) params: JudgedParams<UpdateOrgParams>,
  ): Promise<OrgUpdatedDto> {
    return this.updates.update(caller, params);
  }

  @Post('update')
  @RequireOneFor(permissionsToUpdate, Permission.Alert, Permission.Admin)
  @SupersededBy('/org')
  @ApiOperation({
    summary: 'Change settings of the organisation (older form)',
    description: 'Does what `PUT /org` does. Kept for older clients.',
  })
  @ApiEnvelope(OrgUpdatedDto)
  updateByPost(
    @CurrentCaller() caller: KnownCaller,
    @Params(UpdateOrgParams) params: JudgedParams<UpdateOrgParams>,
  ): Promise<OrgUpdatedDto> {
    return this.updates.update(caller, params);
  }
}

/** The permission `alert` allows only muting: all other settings are for administrators. */
function permissionsToUpdate(request: Request): number {
  const source = { query: request.query, body: request.body as unknown, form: false };
  const { known, unknown, problems } = gatherParameters(source, paramsOf(UpdateOrgParams), true);
  // Includes members that no caller may send: only callers who may change settings get the error.
  const names = [...known.keys(), ...unknown, ...problems.map(({ field }) => field)];
  const asksForMore = names.some((name) => name !== MUTING_PARAM);
  return asksForMore ? Permission.Admin : Permission.Alert | Permission.Admin;
}
