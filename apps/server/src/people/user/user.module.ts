import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { AccountLinkEntity } from './account-link.entity.js';
import { AccountLinksRepository } from './account-links.repository.js';
import { AccountLinksService } from './account-links.service.js';
import { AdministratorsService } from './administrators.service.js';
import { PasswordService } from './password.service.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserRefsService } from './user-refs.service.js';
import { UserService } from './user.service.js';

/** People, their passwords, and the single-use links that are mailed to them. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountLinkEntity, UserEntity]), OrgModule],
  providers: [
    AccountLinksService,
    AccountLinksRepository,
    AdministratorsService,
    PasswordService,
    UserRefsService,
    UserRepository,
    UserService,
  ],
  exports: [AccountLinksService, AdministratorsService, PasswordService, UserRefsService, UserService],
})
export class UserModule {}
