import { Controller, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { GraphParams } from './dto/graph.params.js';
import { PatternGraphDto } from './dto/pattern-graph.dto.js';
import { PatternPictureService } from './pattern-picture.service.js';
import { GraphAnswer, Picture } from './picture.decorators.js';

@ApiTags('pattern')
@Controller('pattern')
export class PatternPictureController {
  constructor(private readonly pictures: PatternPictureService) {}

  @Fetch(':pattern_id/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the graph of a pattern as page, picture or numbers',
    description:
      'The shape with its level, and how near to it counts as alike; without `from` and `until` the anomalous part with ' +
      'what is around it. A signed address of the service opens it without a credential.',
  })
  @GraphAnswer(PatternGraphDto)
  graph(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('pattern_id') id: number,
    @Params() params: GraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | PatternGraphDto> {
    return this.pictures.graph(caller, id, params, head);
  }
}
