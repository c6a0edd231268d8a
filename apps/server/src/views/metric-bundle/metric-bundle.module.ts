import { Module } from '@nestjs/common';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { MatchModule } from '../../teaching/match/match.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { RelatedModule } from '../../analysis/related/related.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { MetricBundleController } from './metric-bundle.controller.js';
import { BundlePartsService, MetricBundleService } from './metric-bundle.service.js';

/** The content of a metric page, in one answer. */
@Module({
  imports: [AnomalyModule, MatchModule, MetricModule, OrgModule, PatternModule, RelatedModule],
  controllers: [MetricBundleController],
  providers: [BundlePartsService, MetricBundleService],
})
export class MetricBundleModule {}
