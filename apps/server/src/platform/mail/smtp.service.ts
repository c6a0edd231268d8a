import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { createTransport, type Transporter } from 'nodemailer';
import { ConfigError } from '../../common/config/load-config.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { messageOf } from '../../common/errors/message-of.js';
import { dateOf } from '../../common/time.js';
import { MailConfig } from './mail.config.js';
import { plainSubject, renderMail } from './mail-rendering.js';
import { type Mail } from './mail.types.js';

const CONNECTIONS = 3;
const CONNECT_MS = 10_000;
/** Silence of the server after which a mail is given up, for this time. */
const SILENCE_MS = 30_000;

/** How a mail was not taken. */
export class MailRefusedError extends Error {
  constructor(
    /** `recipient`: permanent, this mail only. `later`: temporary, this mail only. `server`: temporary, all mails. */
    readonly kind: 'recipient' | 'later' | 'server',
    /** Without addresses and contents: for logs and operators. */
    reason: string,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}

/** A mail with the identity it keeps over all tries. */
export interface OutgoingMail extends Pick<Mail, 'to' | 'subject' | 'content'> {
  id: string;
  /** Unix seconds. */
  createdAt: number;
}

/** The configured mail server. Connections are kept and shared; none is made before the first mail. */
@Injectable()
export class Smtp implements OnApplicationShutdown {
  private readonly transport: Transporter | undefined;

  /** @throws ConfigError when SMTP_CA_FILE cannot be read: at the start, not at the first mail */
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
   * Resolves when the server has taken the mail.
   * @throws MailRefusedError
   */
  async send(mail: OutgoingMail, signal?: AbortSignal): Promise<void> {
    if (this.transport === undefined) throw new MailRefusedError('server', 'SMTP_HOST is not set any more');
    const from = this.config.from!;
    const { text, html } = renderMail(mail.content, { url: this.server.publicUrl });
    try {
      await this.transport.sendMail({
        messageId: `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        date: dateOf(mail.createdAt),
        from: { name: this.config.fromName, address: from },
        to: { name: '', address: mail.to },
        subject: plainSubject(mail.subject),
        text,
        html,
        // Out-of-office replies and the like are for people.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

function open(config: MailConfig, host: string): Transporter {
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // The outbox has tries of its own.
    maxRequeues: 0,
    host,
    port: config.port,
    secure: config.security === 'tls',
    requireTLS: config.security === 'starttls',
    ignoreTLS: config.security === 'none',
    ...(config.username === undefined ? {} : { auth: { user: config.username, pass: config.password! } }),
    tls: { minVersion: 'TLSv1.2', ...(config.caFile === undefined ? {} : { ca: authorities(config.caFile) }) },
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
}

function authorities(file: string): string[] {
  try {
    const pem = readFileSync(file, 'utf8');
    // Says what is wrong with it now rather than with the first mail.
    new X509Certificate(pem);
    return [...rootCertificates, pem];
  } catch (error) {
    throw new ConfigError([{ env: 'SMTP_CA_FILE', message: `${file} has no certificate: ${messageOf(error)}` }]);
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** Commands whose refusal is about one mail. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);

function refusalOf(error: unknown): MailRefusedError {
  const { code, command, responseCode, permanent } = (error instanceof Error ? error : {}) as SmtpFailure;
  // 421 is the server's good-bye, whatever it answers.
  if (responseCode !== undefined && responseCode !== 421 && ABOUT_THE_MAIL.has(command ?? '')) {
    const kind = permanent === true ? 'recipient' : 'later';
    return new MailRefusedError(kind, `the server refused it (${command ?? ''}: ${String(responseCode)})`);
  }
  if (code === 'EENVELOPE' && responseCode === undefined) {
    return new MailRefusedError('recipient', 'the address is not valid');
  }
  // The server's own words are left out: they often repeat the address.
  const details = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  const reason = responseCode === undefined ? messageOf(error) : 'the server refused';
  return new MailRefusedError('server', details === '' ? reason : `${reason} (${details})`);
}
