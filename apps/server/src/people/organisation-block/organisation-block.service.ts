import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Links } from '../../common/http/links.js';
import { masked } from '../../common/secrets/secrets.js';
import { toAnalysisVariablesDto } from '../org/org.functions.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { OrgService } from '../org/org.service.js';
import { type Org } from '../org/org.types.js';
import { type UserDto } from '../user/user.dto.js';
import { isVisibleTo, toUserDto, viewerOf } from '../user/user.functions.js';
import {
  type AlertRecipientsDto,
  type EnvironmentDto,
  type OrganisationBlockDto,
  type OrgPropertiesDto,
} from './organisation-block.dto.js';

/** The complete record of an organisation, in the form that its caller may see. */
@Injectable()
export class OrganisationBlockService {
  constructor(
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly links: Links,
    private readonly server: ServerConfig,
  ) {}

  /** @param showsSecrets true: the chat token is not masked; default: true for administrators */
  async getBlock(
    caller: KnownCaller,
    showsSecrets = (caller.permissions & Permission.Admin) !== 0,
  ): Promise<OrganisationBlockDto> {
    const orgId = caller.org.id;
    const [org, recipients, administrators] = await Promise.all([
      this.orgs.getById(orgId),
      this.orgs.listRecipients(orgId),
      this.users.listAdministrators(orgId),
    ]);
    const named = await this.users.findByIds(orgId, [...new Set(Object.values(recipients).flat())]);

    const viewer = viewerOf(caller);
    const orgDto = this.orgs.toDto(org);
    const shown = (users: readonly User[]): UserDto[] =>
      users.filter((user) => isVisibleTo(user, viewer)).map((user) => toUserDto(user, orgDto, viewer));
    const listed = (ids: readonly number[]): UserDto[] => shown(named.filter(({ id }) => ids.includes(id)));
    return {
      org: orgDto,
      properties: this.propertiesOf(org, showsSecrets),
      alert_recipients: {
        email: listed(recipients.email),
        admin_email: listed(recipients.admin_email),
        chat_mentions: listed(recipients.chat_mentions),
        sms: listed(recipients.sms),
        admin_sms: listed(recipients.admin_sms),
      } satisfies AlertRecipientsDto,
      admin_users: shown(administrators),
      analysis_variables: toAnalysisVariablesDto(org),
      environment: this.environment(),
      message: 'OK',
    };
  }

  private propertiesOf(org: Org, whole: boolean): OrgPropertiesDto {
    const token = this.orgs.chatApiToken(org);
    return {
      chat_api_token: token === '' || (whole && token !== null) ? token : masked(token ?? ''),
      default_chat_channel: org.defaultChatChannel,
    };
  }

  private environment(): EnvironmentDto {
    return {
      ingest_url: this.links.ingest('/ingest/metrics'),
      ingest_origin: this.links.ingest(''),
      graphite_address: this.server.graphitePublicAddress,
      api_url: this.links.api(''),
      console_url: this.links.console('/'),
    };
  }
}
