import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { AcceptUpload } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { toModelsDto } from './benchmark-presenter.js';
import { type BenchmarkStarter, CurrentStarter } from './benchmark-starter.decorator.js';
import { BenchmarkStartsService } from './benchmark-starts.service.js';
import { BenchmarkService } from './benchmark.service.js';
import {
  BenchmarkAnswerDto,
  BenchmarkChangedDto,
  BenchmarkChartDataDto,
  BenchmarkModelsDto,
  BenchmarkStartedDto,
} from './dto/benchmark.dto.js';
import {
  BenchmarkKeyParams,
  BenchmarkMailParams,
  ChartDataParams,
  StartBenchmarkParams,
} from './dto/benchmark.params.js';

@ApiTags('benchmark')
@Controller('benchmark')
@Public()
export class BenchmarkController {
  constructor(
    private readonly starts: BenchmarkStartsService,
    private readonly benchmarks: BenchmarkService,
  ) {}

  @Fetch('models')
  @ApiOperation({
    summary: 'List the models of the benchmark',
    description:
      'The detectors that a series can be tried with, where they were published, which of them are the default, and ' +
      'how many points they need.',
  })
  @ApiEnvelope(BenchmarkModelsDto)
  models(@Params() _params: NoParams): BenchmarkModelsDto {
    return toModelsDto();
  }

  @Post('start')
  @AcceptUpload()
  @Throws('not_authenticated', 'permission_denied', 'not_found', 'not_enough_data', 'not_configured')
  @ApiOperation({
    summary: 'Try detectors on a series',
    description:
      'Takes points, a CSV file or a metric, and queues a job that runs each model over them. The id of the answer ' +
      'is the only key to the results, which live for seven days.',
  })
  @ApiEnvelope(BenchmarkStartedDto)
  start(
    @Params() params: StartBenchmarkParams,
    @CurrentStarter() starter: BenchmarkStarter,
  ): Promise<BenchmarkStartedDto> {
    return this.starts.start(starter, params);
  }

  @Post('setemailaddress')
  @Throws('not_found', 'state_conflict', 'expired', 'not_configured')
  @ApiOperation({
    summary: 'Ask for a mail when a benchmark is done',
    description: 'One mail with the link is sent when the job is done; the address is deleted afterwards.',
  })
  @ApiEnvelope(BenchmarkChangedDto)
  setEmailAddress(
    @Params() params: BenchmarkMailParams,
    @CurrentStarter() starter: BenchmarkStarter,
  ): Promise<BenchmarkChangedDto> {
    return this.benchmarks.setEmail(starter.address, params);
  }

  @Fetch('status')
  @Throws('not_found', 'expired')
  @ApiOperation({
    summary: 'Get the progress and results of a benchmark',
    description: 'The state of the job and of each model, with the scores against the labels where there are any.',
  })
  @ApiEnvelope(BenchmarkAnswerDto)
  status(@Params() params: BenchmarkKeyParams): Promise<BenchmarkAnswerDto> {
    return this.benchmarks.getStatus(params.benchmark_id);
  }

  @Fetch('chartdata')
  @Throws('not_found', 'not_finished', 'expired')
  @ApiOperation({
    summary: 'Get the numbers of a benchmark',
    description:
      'The series, the expected range, the scores and the anomalies of one model or of all, for drawing them elsewhere.',
  })
  @ApiEnvelope(BenchmarkChartDataDto)
  chartData(@Params() params: ChartDataParams): Promise<BenchmarkChartDataDto> {
    return this.benchmarks.getChartData(params);
  }
}
