import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { type Transporter } from 'nodemailer';
import { ConfigError } from '../../common/config/load-config.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MailConfig } from './mail.config.js';
import { renderMail } from './mail-rendering.js';
import { MailRefusedError } from './mail.errors.js';
import { type Mail } from './mail.types.js';
import { openTransport, sendBy, verifyBy } from './smtp-transport.js';
import { type ComposedMail } from './smtp.types.js';

/** A mail with an identity that stays the same over all attempts. */
export interface OutgoingMail extends Pick<Mail, 'to' | 'subject' | 'content'> {
  id: string;
  /** Unix seconds. */
  createdAt: number;
}

/** The configured mail server. Connections are kept open and shared; none is opened before the first mail. */
@Injectable()
export class SmtpService implements OnApplicationShutdown {
  private readonly transport: Transporter | undefined;

  /** @throws ConfigError if SMTP_CA_FILE cannot be read: at the start, not at the first mail */
  constructor(
    private readonly config: MailConfig,
    private readonly server: ServerConfig,
  ) {
    this.transport = config.host === undefined ? undefined : open(config, config.host);
  }

  get isConfigured(): boolean {
    return this.transport !== undefined;
  }

  /**
   * Resolves when the server has accepted the mail.
   * @throws MailRefusedError
   */
  async send(mail: OutgoingMail, signal?: AbortSignal): Promise<void> {
    const { text, html } = renderMail(mail.content, { url: this.server.publicUrl });
    await this.sendComposed({ ...mail, text, html }, signal);
  }

  /**
   * Resolves with the Message-ID when the server has accepted the mail. The sender is the address of the installation.
   * @throws MailRefusedError
   */
  async sendComposed(mail: Omit<ComposedMail, 'from'>, signal?: AbortSignal): Promise<string> {
    if (this.transport === undefined) throw new MailRefusedError('server', 'SMTP_HOST is not set any more');
    const from = { name: this.config.fromName, address: this.config.from! };
    return sendBy(this.transport, { ...mail, from }, signal);
  }

  /**
   * Connects, encrypts and logs in as for a mail, but sends none.
   * @throws MailRefusedError
   */
  async verify(): Promise<void> {
    if (this.transport === undefined) throw new MailRefusedError('server', 'SMTP_HOST is not set');
    await verifyBy(this.transport);
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

function open({ port, security, username, password, caFile }: MailConfig, host: string): Transporter {
  const login = username === undefined ? null : { user: username, pass: password! };
  return openTransport({
    ...{ host, port, security, login },
    ...(caFile === undefined ? {} : { authorities: authorities(caFile) }),
  });
}

function authorities(file: string): string[] {
  try {
    const pem = readFileSync(file, 'utf8');
    // Reports a problem of the file now rather than at the first mail.
    new X509Certificate(pem);
    return [...rootCertificates, pem];
  } catch (error) {
    throw new ConfigError([{ env: 'SMTP_CA_FILE', message: `${file} has no certificate: ${messageOf(error)}` }]);
  }
}
