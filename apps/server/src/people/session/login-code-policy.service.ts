import { Injectable } from '@nestjs/common';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { UserService } from '../user/user.service.js';
import { PLACEHOLDER_EMAIL } from '../user/user.types.js';
import { KnownClientsService } from './known-clients.service.js';
import { SessionConfig } from './session.config.js';
import { type LoginClient } from './session.types.js';

/** Decides whether a login needs a code besides the password. */
@Injectable()
export class LoginCodePolicy {
  constructor(
    private readonly users: UserService,
    private readonly clients: KnownClientsService,
    private readonly mailer: Mailer,
    private readonly config: SessionConfig,
  ) {}

  async isNeeded(orgId: number, userId: number, client: LoginClient): Promise<boolean> {
    const { loginCode } = this.config;
    const isOn = loginCode === 'on' || (loginCode === 'auto' && this.mailer.isConfigured);
    if (!isOn || (await this.clients.isKnown(client.clientId, userId))) return false;
    if (loginCode === 'on') return true;
    // An operator who sets up mail before naming an administrator would be locked out permanently.
    return (await this.users.getById(orgId, userId)).email !== PLACEHOLDER_EMAIL;
  }
}
