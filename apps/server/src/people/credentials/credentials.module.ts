import { Global, Module } from '@nestjs/common';
import { CredentialDirectory } from '../../common/auth/caller.js';
import { OrgModule } from '../org/org.module.js';
import { TokenModule } from '../token/token.module.js';
import { StoredCredentialsService } from './stored-credentials.service.js';
import { SessionModule } from '../session/session.module.js';

/** Looks up sessions and tokens for the edge. Global: the guards of the API and of ingest both need it. */
@Global()
@Module({
  imports: [SessionModule, TokenModule, OrgModule],
  providers: [{ provide: CredentialDirectory, useClass: StoredCredentialsService }],
  exports: [CredentialDirectory],
})
export class CredentialsModule {}
