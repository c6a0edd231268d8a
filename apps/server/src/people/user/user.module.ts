import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { AccountLinkEntity } from './account-link.entity.js';
import { AccountLinksRepository } from './account-links.repository.js';
import { AccountLinks } from './account-links.service.js';
import { Administrators } from './administrators.service.js';
import { PasswordService } from './password.service.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserRefs } from './user-refs.service.js';
import { UserService } from './user.service.js';

/** People, their passwords, and the single-use links that are mailed to them. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountLinkEntity, UserEntity]), OrgModule],
  providers: [
    AccountLinks,
    AccountLinksRepository,
    Administrators,
    PasswordService,
    UserRefs,
    UserRepository,
    UserService,
  ],
  exports: [AccountLinks, Administrators, PasswordService, UserRefs, UserService],
})
export class UserModule {}
