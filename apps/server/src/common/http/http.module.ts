import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { UrlSignature } from '../auth/url-signature.js';
import { Clock, SystemClock } from '../clock.js';
import { Links } from './links.js';
import { PageAnswers } from './page-answers.js';
import { RateLimits } from './rate-limits.js';
import { RouteTable } from './route-table.js';

/** What areas use of the HTTP edge: time, links, limits. Needs ConfigModule, SecretsModule and a RateLimitStore. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: Clock, useClass: SystemClock }, UrlSignature, Links, PageAnswers, RateLimits, RouteTable],
  exports: [Clock, UrlSignature, Links, PageAnswers, RateLimits, RouteTable],
})
export class HttpModule {}
