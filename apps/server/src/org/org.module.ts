import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgRecipientEntity } from './org-recipient.entity.js';
import { OrgEntity } from './org.entity.js';
import { OrgRepository } from './org.repository.js';
import { OrgService } from './org.service.js';

/** Organisations themselves. What is told about them together with their users is OrganisationBlockModule. */
@Module({
  imports: [TypeOrmModule.forFeature([OrgEntity, OrgRecipientEntity])],
  providers: [OrgRepository, OrgService],
  exports: [OrgService],
})
export class OrgModule {}
