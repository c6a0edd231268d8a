import { Module } from '@nestjs/common';
import { SUBSCRIPTION_KEY_BASE } from '../../common/http/api-paths.js';
import { ForeignPaths } from '../../common/http/foreign-paths.js';
import { DetectApiController } from './detect-api.controller.js';
import { detectErrorForm } from './detect-error-form.js';
import { DetectService } from './detect.service.js';

/** Judges series that a request contains and answers immediately, in the formats of a retired service. */
@Module({
  controllers: [DetectApiController],
  providers: [DetectService],
})
export class DetectApiModule {
  constructor(paths: ForeignPaths) {
    paths.register(SUBSCRIPTION_KEY_BASE, detectErrorForm);
  }
}
