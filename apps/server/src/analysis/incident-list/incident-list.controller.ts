import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { IncidentAnswerDto, IncidentsDto } from './dto/incident-list.dto.js';
import { ListIncidentsParams } from './dto/incident-list.params.js';
import { IncidentListService } from './incident-list.service.js';

@ApiTags('incident')
@Controller('incidents')
export class IncidentListController {
  constructor(private readonly incidents: IncidentListService) {}

  @Fetch()
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the incidents of the organisation',
    description:
      'Anomalies that began together, as one: incidents that overlap the window, the newest first unless `order` says ' +
      'otherwise; without a window those of the last 24 hours. Each names its likely origins and the reasons.',
  })
  @ApiEnvelope(IncidentsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListIncidentsParams): Promise<IncidentsDto> {
    return this.incidents.list(caller, params);
  }

  @Fetch(':incident_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get an incident with its anomalies and its course',
    description:
      'The incident, the records of its anomalies in the order in which they began, and when each opened, was ' +
      'acknowledged and closed.',
  })
  @ApiEnvelope(IncidentAnswerDto)
  find(@CurrentCaller() caller: KnownCaller, @IdParam('incident_id') id: number): Promise<IncidentAnswerDto> {
    return this.incidents.find(caller, id);
  }
}
