import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { ProgressEntity } from '../../people/progress/progress.entity.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { PatternChecksService } from './pattern-checks.service.js';
import { PatternListService } from './pattern-list.service.js';
import { PatternPresenterService } from './pattern-presenter.service.js';
import { PatternSeriesService } from './pattern-series.service.js';
import { PatternController } from './pattern.controller.js';
import { AnomalyResemblanceEntity, PatternEntity, PendingPatternEntity } from './pattern.entity.js';
import { PatternEvents } from './pattern.events.js';
import { PatternRepository } from './pattern.repository.js';
import { PatternService } from './pattern.service.js';
import { PatternDirectoryService } from './pattern-directory.service.js';
import { PendingPatternRepository } from './pending-pattern.repository.js';
import { TrainingEntity } from './training.entity.js';

/** Trained and learnt patterns, and which of them are compared. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      PatternEntity,
      PendingPatternEntity,
      AnomalyResemblanceEntity,
      // Referenced by the entities above.
      ProgressEntity,
      TrainingEntity,
    ]),
    AuditModule,
    EventModule,
    MetricModule,
    StreamLogModule,
    UserModule,
  ],
  controllers: [PatternController],
  providers: [
    PatternChecksService,
    PatternEvents,
    PatternListService,
    PatternPresenterService,
    PatternRepository,
    PatternSeriesService,
    PatternService,
    PatternDirectoryService,
    PendingPatternRepository,
  ],
  exports: [
    PatternEvents,
    PatternListService,
    PatternPresenterService,
    PatternSeriesService,
    PatternService,
    PatternDirectoryService,
  ],
})
export class PatternModule {}
