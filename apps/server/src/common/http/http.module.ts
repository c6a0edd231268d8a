import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { UrlSignature } from '../auth/url-signature.js';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { Clock, SystemClock } from '../clock.js';
import { ForeignPaths } from './foreign-paths.js';
import { Links } from './links.js';
import { PageAnswers } from './page-answers.js';
import { RateLimits } from './rate-limits.js';
import { RequestGate } from './request-gate.js';
import { RouteTable } from './route-table.js';

/**
 * Shared services of the HTTP edge: time, links, limits, turns. Needs ConfigModule, SecretsModule and a RateLimitStore.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: Clock, useClass: SystemClock },
    UrlSignature,
    ForeignPaths,
    Links,
    PageAnswers,
    RateLimits,
    RequestGate,
    RouteTable,
    FairQueueRegistry,
  ],
  exports: [
    Clock,
    UrlSignature,
    ForeignPaths,
    Links,
    PageAnswers,
    RateLimits,
    RequestGate,
    RouteTable,
    FairQueueRegistry,
  ],
})
export class HttpModule {}
