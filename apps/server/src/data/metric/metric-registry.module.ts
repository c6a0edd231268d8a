import { Module } from '@nestjs/common';
import { EventModule } from '../../platform/event/event.module.js';
import { MetricDescriptions } from './metric-descriptions.service.js';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistry } from './metric-registry.service.js';
import { MetricStatesRepository } from './metric-states.repository.js';
import { MetricStates } from './metric-states.service.js';
import { RegistryChangesRepository } from './registry-changes.repository.js';
import { RegistryChanges } from './registry-changes.service.js';
import { RegistryEvents } from './registry-events.service.js';

/** Making metrics and following their states: for the roles `ingest` and `detect`, which need nothing of the metric API. */
@Module({
  imports: [EventModule],
  providers: [
    MetricRegistry,
    MetricRegistryRepository,
    MetricDescriptions,
    MetricStates,
    MetricStatesRepository,
    RegistryChanges,
    RegistryChangesRepository,
    RegistryEvents,
  ],
  exports: [MetricRegistry, MetricStates, RegistryChanges],
})
export class MetricRegistryModule {}
