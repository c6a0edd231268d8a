import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { longDateTime } from '../../common/display/display.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { OrgService } from '../org/org.service.js';
import { type User } from '../user/user.types.js';

/** Mails about logins. */
@Injectable()
export class LoginMailsService {
  constructor(
    private readonly mailer: MailerService,
    private readonly links: Links,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.mailer.isConfigured;
  }

  /** Sends immediately, because a person is waiting. @throws MailNotConfiguredError, MailUnavailableError */
  async sendCode(
    orgId: number,
    user: User,
    { code, token, address }: { code: string; token: string; address: string | undefined },
  ): Promise<void> {
    await this.mailer.send({
      to: user.email ?? '',
      orgId,
      subject: `${code} is your Plumbline login code`,
      content: {
        heading: 'Your login code',
        paragraphs: ['Someone is logging in to your account from a new browser or program.'],
        code,
        button: { label: 'Log in', url: this.links.console(CONSOLE_PATHS.validateLogin, { code, token }) },
        facts: [...(await this.facts(orgId, address)), ['Token', token]],
        notes: [
          'The code is valid for 10 minutes. The link works in any browser: do not pass it on.',
          'If it was not you, someone knows your password. Do not use the code, and change your password.',
        ],
      },
    });
  }

  /** @param validSeconds validity of the link */
  async queueResetLink(orgId: number, user: User, token: string, validSeconds: number, tx: Tx): Promise<void> {
    await this.mailer.queue(
      {
        to: user.email ?? '',
        orgId,
        subject: 'Choose a new password for Plumbline',
        content: {
          heading: 'Choose a new password',
          paragraphs: ['A new password was requested for your account.'],
          button: { label: 'Choose a password', url: this.links.console(CONSOLE_PATHS.resetPassword, { token }) },
          facts: [['Token', token]],
          notes: [
            'The link is valid for an hour and one use.',
            'If it was not you, ignore this mail: your password stays unchanged.',
          ],
        },
        validSeconds,
      },
      tx,
    );
  }

  /** Notifies a user that the password has changed. Does nothing if no mail can be sent. */
  async queuePasswordNotice(orgId: number, user: User, address: string | undefined, tx: Tx): Promise<void> {
    if (!this.mailer.isConfigured || user.email === null) return;
    await this.mailer.queue(
      {
        to: user.email,
        orgId,
        subject: 'Your Plumbline password was changed',
        content: {
          heading: 'Your password was changed',
          paragraphs: ['The password of your account was changed, and all other sessions have ended.'],
          facts: await this.facts(orgId, address, tx),
          button: { label: 'Log in', url: this.links.console(CONSOLE_PATHS.login) },
          notes: ['If it was not you, ask for a new password on the login page, and notify an administrator.'],
        },
      },
      tx,
    );
  }

  private async facts(orgId: number, address: string | undefined, tx?: Tx): Promise<[string, string][]> {
    const { timezone } = await this.orgs.getById(orgId, tx);
    const when: [string, string] = ['Time', longDateTime(Math.floor(this.clock.now()), timezone)];
    return address === undefined ? [when] : [when, ['Network address', address]];
  }
}
