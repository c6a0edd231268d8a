import { Injectable } from '@nestjs/common';
import {
  type CredentialCheck,
  CredentialDirectory,
  type CallerOrg,
  type TokenCaller,
  type UserCaller,
} from '../../common/auth/caller.js';
import { OrgService } from '../org/org.service.js';
import { TokenDirectoryService } from '../token/token-directory.service.js';
import { SessionService } from '../session/session.service.js';

/** Finds the caller of a request for the edge. */
@Injectable()
export class StoredCredentialsService extends CredentialDirectory {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: TokenDirectoryService,
    private readonly orgs: OrgService,
  ) {
    super();
  }

  findSession(sessionId: string, check?: CredentialCheck): Promise<UserCaller | 'ended' | 'unknown'> {
    return this.sessions.find(sessionId, check);
  }

  findToken(token: string): Promise<TokenCaller | 'expired' | 'unknown'> {
    return this.tokens.find(token);
  }

  async findOrg(orgId: number): Promise<CallerOrg | 'unknown'> {
    const org = await this.orgs.find(orgId);
    return org ? { id: org.id, timezone: org.timezone, onboardingStatusId: org.onboardingStatusId } : 'unknown';
  }
}
