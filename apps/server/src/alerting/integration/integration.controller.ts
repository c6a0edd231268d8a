import { Controller, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, CurrentUser, RequirePermissions, SessionOnly } from '../../common/auth/access.decorators.js';
import { type KnownCaller, type UserCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import {
  ServiceChangedDto,
  ServiceConfigDto,
  ServiceListDto,
  ServicePropertiesDto,
  ServiceTestedDto,
} from './dto/integration.dto.js';
import {
  ListServicesParams,
  OrgPropertiesParams,
  TestServiceParams,
  UserPropertiesParams,
} from './dto/integration.params.js';
import { IntegrationChangesService } from './integration-changes.service.js';
import { IntegrationTestsService } from './integration-tests.service.js';
import { IntegrationService } from './integration.service.js';
import { OwnPropertiesService } from './own-properties.service.js';

const ServiceIdParam = (): MethodDecorator =>
  ApiParam({ name: 'service_id', type: String, description: 'As in the list of integrations.', example: 'webhook' });

@ApiTags('integration')
@Controller('integration')
export class IntegrationController {
  constructor(
    private readonly integrations: IntegrationService,
    private readonly changes: IntegrationChangesService,
    private readonly own: OwnPropertiesService,
    private readonly tests: IntegrationTestsService,
  ) {}

  @Fetch('list')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the integrations',
    description: 'Services that can send data, get alerts or show graphs, with their state of connection.',
  })
  @ApiEnvelope(ServiceListDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListServicesParams): Promise<ServiceListDto> {
    return this.integrations.list(caller, params);
  }

  @Fetch(':service_id/orgconfig')
  @RequirePermissions(Permission.Read)
  @ServiceIdParam()
  @ApiOperation({
    summary: 'Get the settings of an integration with instructions',
    description: 'The fields of the organisation, how to set the service up, and snippets that are ready to paste.',
  })
  @ApiEnvelope(ServiceConfigDto)
  orgConfig(
    @CurrentCaller() caller: KnownCaller,
    @Param('service_id') serviceId: string,
    @Params() _params: NoParams,
  ): Promise<ServiceConfigDto> {
    return this.integrations.orgConfig(caller, serviceId);
  }

  @Fetch(':service_id/orgproperties')
  @RequirePermissions(Permission.Read)
  @ServiceIdParam()
  @ApiOperation({
    summary: 'Get the values of an integration',
    description: 'What the organisation has set. Secrets are masked for every caller.',
  })
  @ApiEnvelope(ServicePropertiesDto)
  orgProperties(
    @CurrentCaller() caller: KnownCaller,
    @Param('service_id') serviceId: string,
    @Params() _params: NoParams,
  ): Promise<ServicePropertiesDto> {
    return this.integrations.orgProperties(caller, serviceId);
  }

  @Put(':service_id/orgproperties')
  @RequirePermissions(Permission.Admin)
  @ServiceIdParam()
  @ApiOperation({
    summary: 'Change the values of an integration',
    description:
      'Only the members that are sent change; an empty text clears one. A masked secret that is sent back stays as ' +
      'it is. Secrets that are not sent are removed when the address that they go to changes. A secret that the service ' +
      'makes is answered once.',
  })
  @ApiEnvelope(ServiceChangedDto)
  updateOrg(
    @CurrentCaller() caller: KnownCaller,
    @Param('service_id') serviceId: string,
    @Params(OrgPropertiesParams) params: JudgedParams<OrgPropertiesParams>,
  ): Promise<ServiceChangedDto> {
    return this.changes.update(caller, serviceId, params);
  }

  @Fetch(':service_id/userconfig')
  @SessionOnly({ demo: true })
  @ServiceIdParam()
  @ApiOperation({
    summary: "Get the caller's settings of an integration",
    description: 'The fields that each user has of the service, such as a member id of the chat, with instructions.',
  })
  @ApiEnvelope(ServiceConfigDto)
  userConfig(
    @CurrentUser() caller: UserCaller,
    @Param('service_id') serviceId: string,
    @Params() _params: NoParams,
  ): Promise<ServiceConfigDto> {
    return this.integrations.userConfig(caller, serviceId);
  }

  @Fetch(':service_id/userproperties')
  @SessionOnly({ demo: true })
  @ServiceIdParam()
  @ApiOperation({
    summary: "Get the caller's values of an integration",
    description: 'What the calling user has set for the service.',
  })
  @ApiEnvelope(ServicePropertiesDto)
  userProperties(
    @CurrentUser() caller: UserCaller,
    @Param('service_id') serviceId: string,
    @Params() _params: NoParams,
  ): Promise<ServicePropertiesDto> {
    return this.integrations.userProperties(caller, serviceId);
  }

  @Put(':service_id/userproperties')
  @SessionOnly()
  @ServiceIdParam()
  @ApiOperation({
    summary: "Change the caller's values of an integration",
    description: 'Only the members that are sent change; an empty text clears one.',
  })
  @ApiEnvelope(ServiceChangedDto)
  updateUser(
    @CurrentUser() caller: UserCaller,
    @Param('service_id') serviceId: string,
    @Params(UserPropertiesParams) params: JudgedParams<UserPropertiesParams>,
  ): Promise<ServiceChangedDto> {
    return this.own.update(caller, serviceId, params);
  }

  @Post(':service_id/test')
  @RequirePermissions(Permission.Admin)
  @ServiceIdParam()
  @Throws('not_configured')
  @ApiOperation({
    summary: 'Send a test message over an integration',
    description: 'Tests the connection immediately, and returns the result with the message of the service.',
  })
  @ApiEnvelope(ServiceTestedDto)
  test(
    @CurrentCaller() caller: KnownCaller,
    @Param('service_id') serviceId: string,
    @Params() params: TestServiceParams,
  ): Promise<ServiceTestedDto> {
    return this.tests.test(caller, serviceId, params.recipient);
  }
}
