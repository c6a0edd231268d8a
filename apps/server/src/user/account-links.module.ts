import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLinkEntity } from './account-link.entity.js';
import { AccountLinksRepository } from './account-links.repository.js';
import { AccountLinks } from './account-links.service.js';

/** Single-use links of users, for every area that mails some. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountLinkEntity])],
  providers: [AccountLinksRepository, AccountLinks],
  exports: [AccountLinks],
})
export class AccountLinksModule {}
