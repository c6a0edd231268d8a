import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { MailedAddressesModule } from '../../people/account/mailed-addresses.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ExpectationModule } from '../expectation/expectation.module.js';
import { BenchmarkAnnouncementsService } from './benchmark-announcements.service.js';
import { BenchmarkRunnerService } from './benchmark-runner.service.js';
import { BenchmarkSourcesService } from './benchmark-sources.service.js';
import { BenchmarkAddressesService, BenchmarkStartsService } from './benchmark-starts.service.js';
import { BenchmarkController } from './benchmark.controller.js';
import { BenchmarkEntity, BenchmarkResultEntity } from './benchmark.entity.js';
import { BenchmarkRepository } from './benchmark.repository.js';
import { BenchmarkService } from './benchmark.service.js';
import { ModelExecutor } from './model-executor.js';
import { SeriesReaderService } from './series-reader.service.js';

/** "Try your own series": runs published methods and the detector of this product on a series in the background. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BenchmarkEntity, BenchmarkResultEntity]),
    ExpectationModule,
    MailedAddressesModule,
    MailModule,
    MetricModule,
    OrgModule,
  ],
  controllers: [BenchmarkController],
  providers: [
    BenchmarkAddressesService,
    BenchmarkAnnouncementsService,
    BenchmarkRepository,
    BenchmarkRunnerService,
    BenchmarkService,
    BenchmarkSourcesService,
    BenchmarkStartsService,
    ModelExecutor,
    SeriesReaderService,
  ],
  exports: [BenchmarkService],
})
export class BenchmarkModule {}
