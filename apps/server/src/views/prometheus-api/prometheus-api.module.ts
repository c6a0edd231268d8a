import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnomalyEntity } from '../../analysis/anomaly/anomaly.entity.js';
import { ExpectationModule } from '../../analysis/expectation/expectation.module.js';
import { ForeignPaths } from '../../common/http/foreign-paths.js';
import { MetricEntity } from '../../data/metric/metric.entity.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { FederationService } from './federation.service.js';
import { PrometheusLabelsService } from './prometheus-labels.service.js';
import { PrometheusQueryService } from './prometheus-query.service.js';
import { PrometheusController } from './prometheus.controller.js';
import { prometheusErrorBody } from './prometheus.errors.js';
import { SeriesReaderService } from './series-reader.service.js';
import { SeriesRepository } from './series.repository.js';
import { SeriesSelectionService } from './series-selection.service.js';

/** The API of Prometheus for metrics and the series derived from them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AnomalyEntity, MetricEntity]),
    ExpectationModule,
    MetricModule,
    OrgModule,
    StorageModule,
  ],
  controllers: [PrometheusController],
  providers: [
    FederationService,
    PrometheusLabelsService,
    PrometheusQueryService,
    SeriesReaderService,
    SeriesRepository,
    SeriesSelectionService,
  ],
})
export class PrometheusApiModule {
  constructor(paths: ForeignPaths) {
    paths.register('/prometheus/', prometheusErrorBody);
  }
}
