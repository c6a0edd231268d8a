import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.decorators.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { CacheFor } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { BenchmarkPictureService } from './benchmark-picture.service.js';
import { BenchmarkPictureParams } from './dto/benchmark-picture.params.js';
import { PICTURES } from './image-limits.types.js';

const PICTURES_KEPT_SECONDS = 60;

@ApiTags('benchmark')
@Controller('benchmark')
export class BenchmarkPictureController {
  constructor(private readonly pictures: BenchmarkPictureService) {}

  @Fetch('chart')
  @Public()
  @CacheFor(PICTURES_KEPT_SECONDS, 'private')
  @RateLimit(PICTURES)
  @Throws('not_found', 'not_finished', 'expired')
  @ApiOperation({
    summary: 'Get a picture of a benchmark',
    description: 'The series with the expected range, the anomalies that a model found, and the labels, as SVG or PNG.',
  })
  @ApiOkResponse({
    description: 'OK',
    content: {
      'image/svg+xml': { schema: { type: 'string' } },
      'image/png': { schema: { type: 'string', format: 'binary' } },
    },
  })
  chart(@Params() params: BenchmarkPictureParams): Promise<StreamableFile> {
    return this.pictures.draw(params);
  }
}
