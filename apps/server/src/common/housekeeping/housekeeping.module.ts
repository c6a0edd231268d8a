import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HousekeepingService } from './housekeeping.service.js';

/** Calls the methods with `@Housekeeping`. Of the server only: the command line tidies nothing up. */
@Module({ imports: [DiscoveryModule], providers: [HousekeepingService], exports: [HousekeepingService] })
export class HousekeepingModule {}
