import { Module } from '@nestjs/common';
import { SUBSCRIPTION_KEY_BASE } from '../../common/http/api-paths.js';
import { ForeignPaths } from '../../common/http/foreign-paths.js';
import { DetectApiController } from './detect-api.controller.js';
import { detectErrorForm } from './detect-error-form.js';
import { DetectService } from './detect.service.js';

/** Series that are sent along and judged at once, in the forms of a service that is retired. */
@Module({
  controllers: [DetectApiController],
  providers: [DetectService],
})
export class DetectApiModule {
  constructor(paths: ForeignPaths) {
    paths.register(SUBSCRIPTION_KEY_BASE, detectErrorForm);
  }
}
