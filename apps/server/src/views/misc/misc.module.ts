import { Module } from '@nestjs/common';
import { MiscController } from './misc.controller.js';
import { MiscService } from './misc.service.js';
import { StatusService } from './status.service.js';

@Module({
  controllers: [MiscController],
  providers: [MiscService, StatusService],
})
export class MiscModule {}
