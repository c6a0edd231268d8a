import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { DeletedOrgsService } from './deleted-orgs.service.js';
import { FirstOrganisationRepository } from './first-organisation.repository.js';
import { FirstOrganisationService } from './first-organisation.service.js';
import { MuteExpiryService } from './mute-expiry.service.js';
import { OrgEntity, OrgRecipientEntity } from './org.entity.js';
import { OrgRepository } from './org.repository.js';
import { OrgService } from './org.service.js';

/** Organisations themselves: settings, recipients of alerts, mutings. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEntity, OrgRecipientEntity]), EventModule, StreamLogModule],
  providers: [
    DeletedOrgsService,
    FirstOrganisationService,
    FirstOrganisationRepository,
    OrgRepository,
    OrgService,
    MuteExpiryService,
  ],
  exports: [DeletedOrgsService, FirstOrganisationService, OrgService, MuteExpiryService],
})
export class OrgModule {}
