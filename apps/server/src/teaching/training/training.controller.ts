import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AcknowledgementService } from './acknowledgement.service.js';
import { AcknowledgedDto, TrainedDto, UntrainedDto } from './dto/training-answers.dto.js';
import { AcknowledgeParams, TrainParams } from './dto/training.params.js';
import { TrainingService } from './training.service.js';

@ApiTags('anomaly')
@Controller('anomaly')
export class TrainingController {
  constructor(
    private readonly training: TrainingService,
    private readonly acknowledgements: AcknowledgementService,
  ) {}

  @Get('train')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/anomaly/train')
  @Throws('not_found', 'already_trained', 'expired', 'not_enough_data', 'not_trainable')
  @ApiOperation({
    summary: 'Judge whether an anomaly was expected (older form)',
    description: 'Does what `POST /anomaly/train` does, as GET.',
  })
  @ApiEnvelope(TrainedDto)
  trainByGet(@CurrentCaller() caller: KnownCaller, @Params() params: TrainParams): Promise<TrainedDto> {
    return this.training.train(caller, params);
  }

  @Post('train')
  @RequirePermissions(Permission.Write)
  @Throws('not_found', 'already_trained', 'expired', 'not_enough_data', 'not_trainable')
  @ApiOperation({
    summary: 'Judge whether an anomaly was expected',
    description:
      'Expected behaviour makes a pattern, and similar shapes no longer open anomalies; unexpected behaviour ' +
      'confirms the anomaly as a problem. `preview` says what the pattern would have done to the last 30 days; with ' +
      '`dry_run` nothing is stored.',
  })
  @ApiEnvelope(TrainedDto)
  train(@CurrentCaller() caller: KnownCaller, @Params() params: TrainParams): Promise<TrainedDto> {
    return this.training.train(caller, params);
  }

  @Post(':anomaly_id/untrain')
  @RequirePermissions(Permission.Write)
  @Throws('state_conflict')
  @ApiOperation({
    summary: 'Undo the training of an anomaly',
    description:
      'Removes the patterns that the training created and everything learnt from them. Matches of ' +
      'only these patterns become anomalies again, without alerting.',
  })
  @ApiEnvelope(UntrainedDto)
  untrain(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('anomaly_id') id: number,
    @Params() _params: NoParams,
  ): Promise<UntrainedDto> {
    return this.training.untrain(caller, id);
  }

  @Post(':anomaly_id/acknowledge')
  @RequirePermissions(Permission.Alert)
  @Throws('state_conflict')
  @ApiOperation({
    summary: 'Acknowledge an anomaly',
    description: 'No further alerts are sent for it until it closes. It has to be open.',
  })
  @ApiEnvelope(AcknowledgedDto)
  acknowledge(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('anomaly_id') id: number,
    @Params() params: AcknowledgeParams,
  ): Promise<AcknowledgedDto> {
    return this.acknowledgements.acknowledge(caller, id, params);
  }
}
