import { Module } from '@nestjs/common';
import { AnomalyModule } from '../anomaly/anomaly.module.js';
import { MetricModule } from '../metric/metric.module.js';
import { OrgCountsModule } from '../org/org-counts.module.js';
import { OrgModule } from '../org/org.module.js';
import { ChartRenderer, createChartRenderer } from './chart-renderer.js';
import { GraphService } from './graph.service.js';
import { OrgGraphService } from './org-graph.service.js';
import { ImageController } from './image.controller.js';

/** Pictures and graphs: what metrics, anomalies and the detector say, drawn. */
@Module({
  imports: [AnomalyModule, MetricModule, OrgCountsModule, OrgModule],
  controllers: [ImageController],
  providers: [GraphService, OrgGraphService, { provide: ChartRenderer, useFactory: createChartRenderer }],
})
export class ImageModule {}
