import { Module } from '@nestjs/common';
import { DetectApiController } from './detect-api.controller.js';
import { DetectService } from './detect.service.js';

/** Series that are sent along and judged at once, in the forms of a service that is retired. */
@Module({
  controllers: [DetectApiController],
  providers: [DetectService],
})
export class DetectApiModule {}
