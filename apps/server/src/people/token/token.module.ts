import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OrgModule } from '../org/org.module.js';
import { OrganisationBlockModule } from '../organisation-block/organisation-block.module.js';
import { TokenActsService } from './token-acts.service.js';
import { TokenAdministrationService } from './token-administration.service.js';
import { TokenDirectoryService } from './token-directory.service.js';
import { TokenController } from './token.controller.js';
import { TokenEntity } from './token.entity.js';
import { TokenRepository } from './token.repository.js';
import { TokenService } from './token.service.js';

/** Tokens of programs: creation, listing, revocation and fast lookup. */
@Module({
  imports: [TypeOrmModule.forFeature([TokenEntity]), AuditModule, EventModule, OrgModule, OrganisationBlockModule],
  controllers: [TokenController],
  providers: [TokenRepository, TokenService, TokenActsService, TokenDirectoryService, TokenAdministrationService],
  exports: [TokenService, TokenDirectoryService],
})
export class TokenModule {}
