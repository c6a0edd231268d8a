import { Global, Module } from '@nestjs/common';
import { SharedRateLimitStore } from './rate-limit-counts.repository.js';
import { RateLimitStore } from './rate-limits.js';

/** Limits shared by all processes on one database. Needs the connection of the process. */
@Global()
@Module({
  providers: [SharedRateLimitStore, { provide: RateLimitStore, useExisting: SharedRateLimitStore }],
  exports: [RateLimitStore],
})
export class SharedRateLimitsModule {}
