import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProtocolSettingsModule } from '../../data/ingest/protocol-settings.module.js';
import { IngestSettingsService } from './ingest/ingest-settings.service.js';
import { IntegrationEntity } from './integration.entity.js';
import { IntegrationRepository } from './integration.repository.js';

/** Settings of protocols for processes that accept points: for the role `ingest`. */
@Module({
  imports: [TypeOrmModule.forFeature([IntegrationEntity]), ProtocolSettingsModule],
  providers: [IngestSettingsService, IntegrationRepository],
})
export class IngestSettingsModule {}
