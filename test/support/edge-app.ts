import { type DynamicModule, Global, type INestApplication, Module, type Type } from '@nestjs/common';
import { ALL_PERMISSIONS, ONBOARDING_FLAGS, type OnboardingFlags, Permission } from '#libs/contracts';
import {
  CredentialDirectory,
  type CallerOrg,
  type TokenCaller,
  type UserCaller,
} from '../../apps/server/src/common/auth/caller.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';
import { ConfigModule } from '../../apps/server/src/common/config/config.module.js';
import { type Environment } from '../../apps/server/src/common/config/environment.config.js';
import { EdgeModule } from '../../apps/server/src/common/http/edge.module.js';
import { HttpModule } from '../../apps/server/src/common/http/http.module.js';
import { MemoryRateLimitStore, RateLimitStore } from '../../apps/server/src/common/http/rate-limits.js';
import { SecretsModule } from '../../apps/server/src/common/secrets/secrets.module.js';
import { TelemetryModule } from '../../apps/server/src/common/telemetry/telemetry.module.js';
import { HandClock } from './hand-clock.js';
import { createNestApp } from './nest-app.js';

/** The time of the clock of `createEdgeApp`, to which it adds a fraction: Tue 12 Jul 2022 15:01:00 UTC. */
export const FIXED_NOW = 1657638060;

/** Credentials in the fake directory of `createEdgeApp`. */
export const SESSIONS = {
  admin: 'a'.repeat(32),
  user: 'b'.repeat(32),
  demo: 'd'.repeat(32),
  ended: 'e'.repeat(32),
  /** Its cookie must be renewed. */
  old: '0'.repeat(32),
} as const;

export const TOKENS = { read: 'pl_read', write: 'pl_write', ingest: 'pl_ingest', expired: 'pl_expired' } as const;

const ORG: CallerOrg = { id: 7, timezone: 'Europe/Oslo', onboardingStatusId: 300 };
const FLAGS = Object.fromEntries(ONBOARDING_FLAGS.map((flag) => [flag, flag === 'main_intro'])) as OnboardingFlags;

function aUser(sessionId: string, overrides: Partial<UserCaller> = {}): UserCaller {
  const permissions = Permission.Read | Permission.Write | Permission.Alert;
  const base = { kind: 'user', org: ORG, permissions, userId: 1, admin: false, demo: false } as const;
  return { ...base, onboardingFlags: FLAGS, sessionId, ...overrides };
}

function aToken(permissions: number): TokenCaller {
  return { kind: 'token', org: ORG, permissions, tokenRef: permissions };
}

class FakeDirectory extends CredentialDirectory {
  private readonly sessions = new Map<string, UserCaller | 'ended'>([
    [SESSIONS.admin, aUser(SESSIONS.admin, { admin: true, permissions: ALL_PERMISSIONS })],
    [SESSIONS.user, aUser(SESSIONS.user)],
    [SESSIONS.demo, aUser(SESSIONS.demo, { demo: true, permissions: Permission.Read })],
    [SESSIONS.ended, 'ended'],
    [SESSIONS.old, aUser(SESSIONS.old, { renewCookieSeconds: 604_800 })],
  ]);
  private readonly tokens = new Map<string, TokenCaller | 'expired'>([
    [TOKENS.read, aToken(Permission.Read)],
    [TOKENS.write, aToken(Permission.Write)],
    [TOKENS.ingest, aToken(Permission.Ingest)],
    [TOKENS.expired, 'expired'],
  ]);

  async findSession(sessionId: string): Promise<UserCaller | 'ended' | 'unknown'> {
    return this.sessions.get(sessionId) ?? 'unknown';
  }

  async findToken(token: string): Promise<TokenCaller | 'expired' | 'unknown'> {
    return this.tokens.get(token) ?? 'unknown';
  }

  async findOrg(orgId: number): Promise<CallerOrg | 'unknown'> {
    return orgId === ORG.id ? ORG : 'unknown';
  }
}

@Global()
@Module({
  providers: [
    { provide: CredentialDirectory, useClass: FakeDirectory },
    { provide: RateLimitStore, useClass: MemoryRateLimitStore },
  ],
  exports: [CredentialDirectory, RateLimitStore],
})
class FakeDirectoryModule {}

/** Only the HTTP edge, with controllers of the test, a fake directory and a stopped clock. */
export function createEdgeApp(options: {
  controllers: Type[];
  imports?: (Type | DynamicModule)[];
  env?: Environment;
}): Promise<INestApplication> {
  const imports = [
    ConfigModule.forRoot(CONFIG_CLASSES),
    SecretsModule,
    TelemetryModule,
    HttpModule,
    EdgeModule.forRoot({ imports: [FakeDirectoryModule] }),
    ...(options.imports ?? []),
  ];
  const clock = new HandClock(FIXED_NOW);
  return createNestApp({ imports, controllers: options.controllers }, { env: options.env, clock });
}
