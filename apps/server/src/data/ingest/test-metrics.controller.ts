import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { TestedMetricDto, TestMetricsDto } from './dto/test-metrics.dto.js';
import { TestMetricsService } from './test-metrics.service.js';

@ApiTags('org')
@ApiExtraModels(TestedMetricDto)
@Controller('org')
export class TestMetricsController {
  constructor(private readonly tests: TestMetricsService) {}

  @Fetch('testmetrics')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the effects that test requests of the last ten minutes would have had',
    description:
      'Combines the requests with `X-Test-Only: true`: names as they would be stored, points that would be ' +
      'refused with the reason, and the effect on the quota.',
  })
  @ApiEnvelope(TestMetricsDto)
  show(@CurrentCaller() caller: KnownCaller, @Params() _params: NoParams): Promise<TestMetricsDto> {
    return this.tests.getTestMetrics(caller.org.id);
  }
}
