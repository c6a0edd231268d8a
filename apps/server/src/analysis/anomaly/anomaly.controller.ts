import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { inFormat } from '../../common/http/csv-answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AnomalyDetailsService } from './anomaly-details.service.js';
import { AnomalyVerdictsService } from './anomaly-verdicts.service.js';
import { AnomalyService } from './anomaly.service.js';
import { AnomaliesDto, AnomalyAnswerDto, tableOfAnomalies } from './dto/anomaly-answers.dto.js';
import { ListAnomaliesTableParams, LookUpAnomalyParams } from './dto/anomaly.params.js';

@ApiTags('anomaly')
@Controller()
export class AnomalyController {
  constructor(
    private readonly anomalies: AnomalyService,
    private readonly details: AnomalyDetailsService,
    private readonly verdicts: AnomalyVerdictsService,
  ) {}

  @Fetch('anomalies')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the anomalies of the organisation',
    description:
      'Anomalies that overlap the window, the newest first unless `order` says otherwise; without a window ' +
      'those of the last 24 hours. Filters narrow by metric, state, kind, severity and training. ' +
      '`format=csv` answers the page as a table.',
  })
  @ApiEnvelope(AnomaliesDto, { csv: true })
  list(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: ListAnomaliesTableParams,
  ): Promise<AnomaliesDto | StreamableFile> {
    return inFormat(params.format, this.anomalies.list(caller, params), tableOfAnomalies);
  }

  @Fetch('anomaly/lookup')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'Find the anomaly of a metric at a time',
    description:
      'The anomaly whose duration covers the time, else the nearest start within 120 seconds. When there is ' +
      'none but the metric has data nearby, the answer is a provisional anomaly without id that says how usual ' +
      'the value was.',
  })
  @ApiEnvelope(AnomalyAnswerDto)
  lookUp(@CurrentCaller() caller: KnownCaller, @Params() params: LookUpAnomalyParams): Promise<AnomalyAnswerDto> {
    return this.details.lookUp(caller, params);
  }

  @Fetch('anomaly/:anomaly_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get an anomaly and what happened around it',
    description:
      'The anomaly with its incident, the anomalies and matches that began near it, and the alerts that were ' +
      'sent for it. The first read may determine again what opened it, and stores that as part of the explanation.',
  })
  @ApiEnvelope(AnomalyAnswerDto)
  accountAndFind(@CurrentCaller() caller: KnownCaller, @IdParam('anomaly_id') id: number): Promise<AnomalyAnswerDto> {
    return this.verdicts.accountAndFind(caller, id);
  }
}
