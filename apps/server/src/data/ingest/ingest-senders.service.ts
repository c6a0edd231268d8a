import { Injectable } from '@nestjs/common';
import { missingPermissions, Permission } from '#libs/contracts';
import { PermissionDeniedError, TokenExpiredError } from '../../common/auth/auth.errors.js';
import { CredentialDirectory } from '../../common/auth/caller.js';
import { IngestTokenMissingError } from './ingest.errors.js';
import { IngestService } from './ingest.service.js';
import { type Sender } from './ingest.types.js';

const MAX_TOKEN_LENGTH = 200;

/** Who sends, by the token that is presented. */
@Injectable()
export class IngestSenders {
  constructor(
    private readonly directory: CredentialDirectory,
    private readonly ingest: IngestService,
  ) {}

  /** @throws IngestTokenMissingError, TokenExpiredError, PointsNotStoredError (the tokens cannot be read at this moment) */
  async identify(token: string | undefined): Promise<Sender> {
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new IngestTokenMissingError();
    const caller = await this.ingest.storing(() => this.directory.findToken(token));
    if (caller === 'expired') throw new TokenExpiredError();
    if (caller === 'unknown') throw new IngestTokenMissingError();
    return { caller, limitKey: `token:${String(caller.org.id)}:${String(caller.tokenRef)}` };
  }
}

/** @throws PermissionDeniedError */
export function requireIngest({ caller }: Sender): void {
  if (missingPermissions(caller.permissions, Permission.Ingest).length > 0) throw new PermissionDeniedError('ingest');
}
