import { Controller, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { GraphParams } from './dto/graph.params.js';
import { MatchGraphDto } from './dto/match-graph.dto.js';
import { MatchPictureService } from './match-picture.service.js';
import { GraphAnswer, Picture } from './picture.decorators.js';

@ApiTags('match')
@Controller('match')
export class MatchPictureController {
  constructor(private readonly pictures: MatchPictureService) {}

  @Fetch(':match_id/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the graph of a match as page, picture or numbers',
    description:
      'The matched window drawn over the pattern, which is moved to its time; `from` and `until` change nothing. A ' +
      'signed address of the service opens it without a credential.',
  })
  @GraphAnswer(MatchGraphDto)
  graph(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('match_id') id: number,
    @Params() params: GraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | MatchGraphDto> {
    return this.pictures.ofMatch(caller, id, params, head);
  }

  @Fetch(':match_id/motif/graph')
  @Picture()
  @ApiOperation({
    summary: 'Get the graph of the matching part as page, picture or numbers',
    description:
      'The part of the window that matched, drawn over the part of the pattern. 404 for matches of the whole shape. ' +
      'A signed address of the service opens it without a credential.',
  })
  @GraphAnswer(MatchGraphDto)
  motifGraph(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('match_id') id: number,
    @Params() params: GraphParams,
    @Answer() head: AnswerHead,
  ): Promise<StreamableFile | MatchGraphDto> {
    return this.pictures.ofMotif(caller, id, params, head);
  }
}
