import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HousekeepingService } from './housekeeping.service.js';

/** Calls the methods with `@Housekeeping`. Only in the server: the command line does no housekeeping. */
@Module({ imports: [DiscoveryModule], providers: [HousekeepingService], exports: [HousekeepingService] })
export class HousekeepingModule {}
