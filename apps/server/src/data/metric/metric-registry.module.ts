import { Module } from '@nestjs/common';
import { EventModule } from '../../platform/event/event.module.js';
import { MetricDescriptionsService } from './metric-descriptions.service.js';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistryService } from './metric-registry.service.js';
import { MetricStatesRepository } from './metric-states.repository.js';
import { MetricStatesService } from './metric-states.service.js';
import { RegistryChangesRepository } from './registry-changes.repository.js';
import { RegistryChangesService } from './registry-changes.service.js';
import { RegistryEventsService } from './registry-events.service.js';

/** Creates metrics and follows their states: for the roles `ingest` and `detect`, which do not need the metric API. */
@Module({
  imports: [EventModule],
  providers: [
    MetricRegistryService,
    MetricRegistryRepository,
    MetricDescriptionsService,
    MetricStatesService,
    MetricStatesRepository,
    RegistryChangesService,
    RegistryChangesRepository,
    RegistryEventsService,
  ],
  exports: [MetricRegistryService, MetricStatesService, RegistryChangesService],
})
export class MetricRegistryModule {}
