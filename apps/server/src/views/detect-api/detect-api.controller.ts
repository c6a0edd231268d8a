import { Controller, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { AcceptRawBody, RawResponse } from '../../common/http/answer.decorators.js';
import { RawBody } from '../../common/http/answer.js';
import { type ForeignAnswer } from '../../common/http/foreign-answer.js';
import { type EdgeRequest } from '../../common/http/request-context.js';
import { DetectService } from './detect.service.js';

/**
 * The calls of the retired Anomaly Detector of Azure (univariate, 1.1), which has a separate description. Nothing is
 * stored.
 */
@ApiExcludeController()
@Controller('anomalydetector/v1.1/timeseries')
@RawResponse()
export class DetectApiController {
  constructor(private readonly detection: DetectService) {}

  @Post('entire/detect')
  @RequirePermissions(Permission.Read)
  @AcceptRawBody()
  detectEntire(
    @CurrentCaller() caller: KnownCaller,
    @Req() request: EdgeRequest,
    @RawBody() body: Buffer,
  ): Promise<ForeignAnswer> {
    return this.detection.detect(caller, 'entire', body, request.get('content-type') ?? '');
  }

  @Post('last/detect')
  @RequirePermissions(Permission.Read)
  @AcceptRawBody()
  detectLast(
    @CurrentCaller() caller: KnownCaller,
    @Req() request: EdgeRequest,
    @RawBody() body: Buffer,
  ): Promise<ForeignAnswer> {
    return this.detection.detect(caller, 'last', body, request.get('content-type') ?? '');
  }

  /** Clients of the retired service write it as one word. */
  @Post(['change-point/detect', 'changepoint/detect'])
  @RequirePermissions(Permission.Read)
  @AcceptRawBody()
  detectChangePoints(
    @CurrentCaller() caller: KnownCaller,
    @Req() request: EdgeRequest,
    @RawBody() body: Buffer,
  ): Promise<ForeignAnswer> {
    return this.detection.detect(caller, 'change-point', body, request.get('content-type') ?? '');
  }
}
