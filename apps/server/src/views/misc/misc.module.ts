import { Module } from '@nestjs/common';
import { MiscController } from './misc.controller.js';
import { MiscService } from './misc.service.js';
import { StatusService } from './status.service.js';

/** Small answers that belong to no organisation: ping, status, time zones, phone codes. */
@Module({
  controllers: [MiscController],
  providers: [MiscService, StatusService],
})
export class MiscModule {}
