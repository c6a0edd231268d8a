import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { WatcherEntity, WatcherRecipientEntity, WatcherStartEntity } from './watcher.entity.js';
import { WatcherRepository } from './watcher.repository.js';
import { Watchers } from './watchers.service.js';

/** Watchers: what an organisation wants to be alerted of, and how. */
@Module({
  imports: [
    OrgModule,
    TypeOrmModule.forFeature([WatcherEntity, WatcherRecipientEntity, WatcherStartEntity]),
    UserModule,
  ],
  providers: [WatcherRepository, Watchers],
  exports: [Watchers],
})
export class WatcherModule {}
