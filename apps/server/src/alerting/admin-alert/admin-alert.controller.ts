import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AdminAlertService } from './admin-alert.service.js';
import {
  AdminAlertAnswerDto,
  AdminAlertRaisedDto,
  AdminAlertsChangedDto,
  AdminAlertsDto,
} from './dto/admin-alert.dto.js';
import { RaiseAdminAlertParams, UpdateAdminAlertsParams } from './dto/admin-alert.params.js';

const CODE = {
  name: 'alert_code',
  type: String,
  description: 'Id or code of an admin alert.',
  example: 'no_data',
} as const;

@ApiTags('org')
@Controller('org')
export class AdminAlertController {
  constructor(private readonly alerts: AdminAlertService) {}

  @Get('adminalerts')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the admin alerts',
    description: 'The five alerts about the service itself, with recipients, waiting times and state.',
  })
  @ApiEnvelope(AdminAlertsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() _params: NoParams): Promise<AdminAlertsDto> {
    return this.alerts.list(caller);
  }

  @Put('adminalerts')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Change the admin alerts',
    description:
      'Switches alerts on and off and sets recipients and times; members that are not sent stay unchanged. An alert ' +
      'without recipients goes to the default recipients for administrators.',
  })
  @ApiEnvelope(AdminAlertsChangedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: UpdateAdminAlertsParams,
  ): Promise<AdminAlertsChangedDto> {
    return this.alerts.update(caller, params);
  }

  @Post('adminalerts')
  @RequirePermissions(Permission.Admin)
  @SupersededBy('/org/adminalerts')
  @ApiOperation({
    summary: 'Change the admin alerts (older form)',
    description: 'Does what `PUT /org/adminalerts` does; without parameters it only reads.',
  })
  @ApiEnvelope(AdminAlertsChangedDto)
  updateByPost(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: UpdateAdminAlertsParams,
  ): Promise<AdminAlertsChangedDto> {
    return this.alerts.update(caller, params);
  }

  @Get('adminalert/:alert_code')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get an admin alert and its state',
    description: 'Whether the alert, such as missing data, is raised, since when, and for which metrics.',
  })
  @ApiParam(CODE)
  @ApiEnvelope(AdminAlertAnswerDto)
  get(
    @CurrentCaller() caller: KnownCaller,
    @Param('alert_code') code: string,
    @Params() _params: NoParams,
  ): Promise<AdminAlertAnswerDto> {
    return this.alerts.get(caller, code);
  }

  @Post('adminalert/:alert_code')
  @RequirePermissions(Permission.Alert)
  @ApiOperation({
    summary: 'Raise or clear an admin alert from outside',
    description:
      'For programs that watch what the service cannot see. It is active immediately, until a call clears it. ' +
      'The recipients are notified of both, within the configured times.',
  })
  @ApiParam(CODE)
  @ApiEnvelope(AdminAlertRaisedDto)
  raise(
    @CurrentCaller() caller: KnownCaller,
    @Param('alert_code') code: string,
    @Params() params: RaiseAdminAlertParams,
  ): Promise<AdminAlertRaisedDto> {
    return this.alerts.raise(caller, code, params);
  }
}
