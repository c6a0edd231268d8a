import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StreamEventEntity, StreamFloorEntity } from './stream-event.entity.js';
import { StreamLogRepository } from './stream-log.repository.js';
import { StreamLogService } from './stream-log.service.js';

/** Writes the entries of the event stream, for every area whose changes people watch. StreamModule delivers them. */
@Module({
  imports: [TypeOrmModule.forFeature([StreamEventEntity, StreamFloorEntity])],
  providers: [StreamLogService, StreamLogRepository],
  exports: [StreamLogService],
})
export class StreamLogModule {}
