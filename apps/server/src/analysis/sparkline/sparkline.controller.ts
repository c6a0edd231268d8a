import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { SparklinesDto } from './dto/sparkline.dto.js';
import { SparklinesParams } from './dto/sparkline.params.js';
import { SparklineService } from './sparkline.service.js';

@ApiTags('metric')
@Controller('metrics')
export class SparklineController {
  constructor(private readonly sparklines: SparklineService) {}

  @Fetch('sparklines')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get small graphs of several metrics',
    description:
      'A few points of each metric with range and anomalies, for lists. The range is that of the roll-ups; lines with ' +
      'points shorter than these, and windows of more than seven days, have none. Unknown ids are left out.',
  })
  @ApiEnvelope(SparklinesDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: SparklinesParams): Promise<SparklinesDto> {
    return this.sparklines.list(caller, params);
  }
}
