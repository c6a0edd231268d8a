import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StreamEventEntity, StreamFloorEntity } from './stream-event.entity.js';
import { StreamLogRepository } from './stream-log.repository.js';
import { StreamLogService } from './stream-log.service.js';

/** What the event stream tells, for every area whose changes people watch. Listening is StreamModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([StreamEventEntity, StreamFloorEntity])],
  providers: [StreamLogService, StreamLogRepository],
  exports: [StreamLogService],
})
export class StreamLogModule {}
