import { Controller, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { IncidentGraphDto } from './dto/incident-graph.dto.js';
import { IncidentGraphParams } from './dto/incident-graph.params.js';
import { IncidentPictureService } from './incident-picture.service.js';
import { GraphAnswer, Picture } from './picture.decorators.js';

@ApiTags('incident')
@Controller('incidents')
export class IncidentPictureController {
  constructor(private readonly pictures: IncidentPictureService) {}

  @Fetch(':incident_id/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the graph of an incident as page, picture or numbers',
    description:
      'Its metrics below each other on one time axis, the likeliest origin first, each on a scale of its own with its ' +
      'expected range and its anomalies; without `from` and `until` the incident with some time around it. A signed ' +
      'address of the service opens it without a credential.',
  })
  @GraphAnswer(IncidentGraphDto)
  graph(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('incident_id') id: number,
    @Params() params: IncidentGraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | IncidentGraphDto> {
    return this.pictures.graph(caller, id, params, head);
  }
}
