import { Module } from '@nestjs/common';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MetricDescriptions } from './metric-descriptions.service.js';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistry } from './metric-registry.service.js';
import { RegistryChangesRepository } from './registry-changes.repository.js';
import { RegistryChanges } from './registry-changes.service.js';
import { RegistryEvents } from './registry-events.service.js';

/** Apart from MetricModule, so that ingest and detection need nothing of the metric API. One registry per process. */
@Module({
  imports: [EventRecordingModule],
  providers: [
    MetricRegistry,
    MetricRegistryRepository,
    MetricDescriptions,
    RegistryChanges,
    RegistryChangesRepository,
    RegistryEvents,
  ],
  exports: [MetricRegistry, RegistryChanges],
})
export class MetricRegistryModule {}
