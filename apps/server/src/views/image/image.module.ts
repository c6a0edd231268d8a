import { Module } from '@nestjs/common';
import { ChannelModule } from '../../alerting/channel/channel.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { BenchmarkModule } from '../../analysis/benchmark/benchmark.module.js';
import { IncidentModule } from '../../analysis/incident/incident.module.js';
import { MatchModule } from '../../teaching/match/match.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrganisationModule } from '../organisation/organisation.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertPictureSourceService } from './alert-picture-source.service.js';
import { BenchmarkPictureController } from './benchmark-picture.controller.js';
import { BenchmarkPictureService } from './benchmark-picture.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { GraphDataService } from './graph-data.service.js';
import { GraphWarmUpRepository } from './graph-warm-up.repository.js';
import { GraphWarmUpService } from './graph-warm-up.service.js';
import { GraphService } from './graph.service.js';
import { IncidentMembersService } from './incident-members.service.js';
import { IncidentPictureController } from './incident-picture.controller.js';
import { IncidentPictureService } from './incident-picture.service.js';
import { MatchPictureController } from './match-picture.controller.js';
import { MatchPictureService } from './match-picture.service.js';
import { OrgGraphService } from './org-graph.service.js';
import { PatternPictureController } from './pattern-picture.controller.js';
import { PatternPictureService } from './pattern-picture.service.js';
import { ImageController } from './image.controller.js';

/** Draws pictures and graphs of metrics, anomalies and the results of the detector. */
@Module({
  imports: [
    AnomalyModule,
    BenchmarkModule,
    ChannelModule,
    IncidentModule,
    MatchModule,
    MetricModule,
    OrganisationModule,
    OrgModule,
    PatternModule,
  ],
  controllers: [
    BenchmarkPictureController,
    ImageController,
    IncidentPictureController,
    MatchPictureController,
    PatternPictureController,
  ],
  providers: [
    AlertPictureSourceService,
    BenchmarkPictureService,
    GraphDataService,
    GraphService,
    GraphWarmUpService,
    GraphWarmUpRepository,
    IncidentMembersService,
    IncidentPictureService,
    MatchPictureService,
    OrgGraphService,
    PatternPictureService,
    ChartRenderer,
  ],
  exports: [GraphService],
})
export class ImageModule {}
