import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AccessGuard } from '../auth/access.guard.js';
import { CredentialGuard } from '../auth/credential.guard.js';
import { SessionStrategy } from '../auth/strategies/session.strategy.js';
import { SignedAddressStrategy } from '../auth/strategies/signed-address.strategy.js';
import { TokenStrategy } from '../auth/strategies/token.strategy.js';
import { EnvelopeInterceptor } from '../envelope/envelope.interceptor.js';
import { StatusBlocks } from '../envelope/status-blocks.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { AnswerHeadersInterceptor } from './answer-headers.interceptor.js';
import { BodyGuard } from './body.guard.js';
import { LargeBodyReader } from './large-body-reader.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/** The pipeline around every handler: guards in their order, envelope, errors. */
@Module({})
export class EdgeModule {
  /** `imports`: the modules that export CredentialDirectory. */
  static forRoot({ imports }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return {
      module: EdgeModule,
      imports,
      providers: [
        SessionStrategy,
        SignedAddressStrategy,
        TokenStrategy,
        StatusBlocks,
        CredentialGuard,
        RateLimitGuard,
        LargeBodyReader,
        { provide: APP_GUARD, useExisting: CredentialGuard },
        { provide: APP_GUARD, useExisting: RateLimitGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: AnswerHeadersInterceptor },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
