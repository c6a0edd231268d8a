import { Injectable } from '@nestjs/common';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { UserService } from '../user/user.service.js';
import { type LoginDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginMailsService } from './login-mails.service.js';
import { CODE_VALID_SECONDS, PendingLoginsService } from './pending-logins.service.js';
import { SessionConfig } from './session.config.js';
import { LoginCodeUnavailableError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

/** Sends the code that completes the login of an unknown client. */
@Injectable()
export class LoginCodeSendingService {
  constructor(
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly pending: PendingLoginsService,
    private readonly limiter: LoginLimiter,
    private readonly mails: LoginMailsService,
    private readonly mailer: MailerService,
    private readonly config: SessionConfig,
  ) {}

  /**
   * Defines whether unknown clients must enter a code: the setting LOGIN_CODE, except that `auto` is `off` if no mail
   * can be sent.
   */
  get demand(): SessionConfig['loginCode'] {
    const { loginCode } = this.config;
    return loginCode === 'auto' && !this.mailer.isConfigured ? 'off' : loginCode;
  }

  /**
   * Mails a code and sends the client a session that awaits it. Older codes of the user become invalid.
   * @throws RateLimitedError, LoginCodeUnavailableError, MailUnavailableError
   */
  async send(orgId: number, userId: number, client: LoginClient): Promise<LoginDto> {
    if (!this.mailer.isConfigured) throw new LoginCodeUnavailableError();
    const user = await this.users.getById(orgId, userId);
    const email = user.email ?? '';
    await this.limiter.countCode(email);
    const { sessionId, code, token, expiresAt } = await this.pending.begin(userId);
    try {
      await this.mails.sendCode(orgId, user, { code, token, address: client.address });
    } catch (error) {
      await this.pending.withdraw(userId);
      throw error;
    }
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.awaitCode(sessionId, CODE_VALID_SECONDS);
    return {
      validation_required: true,
      session: null,
      client_id: null,
      validation: { expires_timestamp: Math.floor(expiresAt), sent_to: maskedAddress(email) },
      message: 'OK',
    };
  }
}

/** `a**@example.org` */
function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${/^./u.exec(email)?.[0] ?? ''}**${at < 0 ? '' : email.slice(at)}`;
}
