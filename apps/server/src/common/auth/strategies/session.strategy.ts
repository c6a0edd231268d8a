import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type CredentialFindings, type EdgeRequest } from '../../http/request-context.js';
import { CredentialDirectory, type UserCaller } from '../caller.js';
import { presentedSession } from '../credentials.js';
import { CredentialStrategy, type Validation } from './credential.strategy.js';

const SESSION_ID = /^[0-9a-f]{32}$/;

/** The user of a session. Only the first id in a request counts. */
@Injectable()
export class SessionStrategy extends PassportStrategy(CredentialStrategy) {
  constructor(private readonly directory: CredentialDirectory) {
    super('session');
  }

  override async validate(
    request: EdgeRequest,
  ): Promise<Validation<UserCaller, CredentialFindings, 'session_expired'>> {
    const session = presentedSession(request);
    if (session === undefined || !SESSION_ID.test(session.id)) return [false];
    const found = await this.directory.findSession(session.id);
    if (found === 'ended') return [false, 'session_expired'];
    return found === 'unknown' ? [false] : [found, { sessionSource: session.source, isSigned: false }];
  }
}
