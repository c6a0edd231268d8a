import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { ProgressEntity } from '../../people/progress/progress.entity.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { PatternChecks } from './pattern-checks.service.js';
import { PatternList } from './pattern-list.service.js';
import { PatternPresenter } from './pattern-presenter.service.js';
import { PatternSeries } from './pattern-series.service.js';
import { PatternController } from './pattern.controller.js';
import { AnomalyResemblanceEntity, PatternEntity, PendingPatternEntity } from './pattern.entity.js';
import { PatternEvents } from './pattern.events.js';
import { PatternRepository } from './pattern.repository.js';
import { PatternService } from './pattern.service.js';
import { Patterns } from './patterns.service.js';
import { PendingPatternRepository } from './pending-pattern.repository.js';
import { TrainingEntity } from './training.entity.js';

/** Shapes that were trained or learnt: what they are, and which are compared. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      PatternEntity,
      PendingPatternEntity,
      AnomalyResemblanceEntity,
      // What these refer to.
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
    PatternChecks,
    PatternEvents,
    PatternList,
    PatternPresenter,
    PatternRepository,
    PatternSeries,
    PatternService,
    Patterns,
    PendingPatternRepository,
  ],
  exports: [PatternEvents, PatternList, PatternPresenter, PatternSeries, PatternService, Patterns],
})
export class PatternModule {}
