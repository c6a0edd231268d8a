import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { missingPermissions, Permission } from '#libs/contracts';
import { PermissionDeniedError, TokenExpiredError } from '../../common/auth/auth.errors.js';
import { authenticateBy } from '../../common/auth/strategies/credential.strategy.js';
import { TokenStrategy, type TokenValidation } from '../../common/auth/strategies/token.strategy.js';
import { IngestStorageService } from './ingest-storage.service.js';
import { IngestTokenMissingError } from './ingest.errors.js';
import { type Sender } from './ingest.types.js';

/** Identifies the sender by its token. */
@Injectable()
export class IngestSendersService {
  constructor(
    private readonly tokens: TokenStrategy,
    private readonly storage: IngestStorageService,
  ) {}

  /**
   * Identifies the sender of a connection without requests.
   * @throws IngestTokenMissingError, TokenExpiredError, PointsNotStoredError (tokens cannot be read now)
   */
  identify(token: string | undefined): Promise<Sender> {
    return this.senderBy(token, () => this.tokens.check(token));
  }

  /**
   * Identifies the sender of a request by the token that its route has found.
   * @throws IngestTokenMissingError, TokenExpiredError, PointsNotStoredError (tokens cannot be read now)
   */
  async identifyRequest(request: Request, token: string | undefined): Promise<Sender> {
    if (token === undefined) throw new IngestTokenMissingError();
    return this.senderBy(token, () => authenticateBy(this.tokens, request, { token }));
  }

  private async senderBy(token: string | undefined, validate: () => Promise<TokenValidation>): Promise<Sender> {
    const [caller, reason] = await this.storage.attempt(validate);
    if (caller) {
      return {
        caller,
        limitKey: `token:${String(caller.org.id)}:${String(caller.tokenRef)}`,
        recheck: async () => requireIngest(await this.identify(token)),
      };
    }
    throw reason === 'token_expired' ? new TokenExpiredError() : new IngestTokenMissingError();
  }
}

/** @throws PermissionDeniedError */
export function requireIngest({ caller }: Sender): void {
  if (missingPermissions(caller.permissions, Permission.Ingest).length > 0) throw new PermissionDeniedError('ingest');
}
