import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { UrlSignature } from '../auth/url-signature.js';
import { Clock, SystemClock } from '../clock.js';
import { Links } from './links.js';
import { MemoryRateLimitStore, RateLimits, RateLimitStore } from './rate-limits.js';
import { RouteTable } from './route-table.js';

/** What areas use of the HTTP edge: time, links, limits. Needs ConfigModule and SecretsModule. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: Clock, useClass: SystemClock },
    { provide: RateLimitStore, useClass: MemoryRateLimitStore },
    UrlSignature,
    Links,
    RateLimits,
    RouteTable,
  ],
  exports: [Clock, UrlSignature, Links, RateLimits, RouteTable],
})
export class HttpModule {}
