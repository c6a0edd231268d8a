import { type Socket } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { messageOf } from '../../common/errors/message-of.js';
import { dateOf } from '../../common/time.js';
import { plainSubject } from './mail-rendering.js';
import { MailRefusedError } from './mail.errors.js';
import { type ComposedMail, type SmtpOptions } from './smtp.types.js';

const CONNECTIONS = 3;
const CONNECT_MS = 10_000;
/** Time without data from the server after which the attempt is aborted. */
const SILENCE_MS = 30_000;

/** Connections are kept open and shared; none is opened before the first mail. */
export function openTransport(options: SmtpOptions): Transporter {
  const { host, port, security, login, authorities, connect } = options;
  const settings: SMTPPool.Options = {
    pool: true,
    maxConnections: CONNECTIONS,
    // The outbox does its own retries.
    maxRequeues: 0,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(login === null ? {} : { auth: login }),
    tls: { minVersion: 'TLSv1.2', ...(authorities === undefined ? {} : { ca: [...authorities] }) },
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...(connect === undefined ? {} : { getSocket: socketsOf(connect) }),
  };
  return createTransport(settings);
}

type SocketCallback = (error: Error | null, options?: { connection: Socket }) => void;

/** Connections that other code opens; TLS is negotiated on them as on any other. */
function socketsOf(connect: () => Promise<Socket>) {
  return (_: unknown, callback: SocketCallback): void => {
    connect().then(
      (connection) => {
        callback(null, { connection });
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };
}

/**
 * Resolves with the Message-ID when the server has accepted the mail.
 * @throws MailRefusedError
 */
export async function sendBy(transport: Transporter, mail: ComposedMail, signal?: AbortSignal): Promise<string> {
  const { from, replyTo } = mail;
  const messageId = `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
  try {
    await transport.sendMail({
      messageId,
      date: dateOf(mail.createdAt),
      from,
      to: { name: '', address: mail.to },
      subject: plainSubject(mail.subject),
      text: mail.text,
      html: mail.html,
      ...(replyTo === undefined ? {} : { inReplyTo: replyTo, references: replyTo }),
      // Suppresses out-of-office replies and other automatic answers.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...mail.headers },
      attachments: (mail.pictures ?? []).map(({ cid, name, png }) => ({
        cid,
        filename: name,
        content: png,
        contentType: 'image/png',
        contentDisposition: 'inline' as const,
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    throw refusalOf(error);
  }
  return messageId;
}

/**
 * Resolves if a mail could be handed over: connected, encrypted and logged in.
 * @throws MailRefusedError
 */
export async function verifyBy(transport: Transporter): Promise<void> {
  try {
    await transport.verify();
  } catch (error) {
    throw refusalOf(error);
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** Commands whose rejection concerns only one mail. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);

function refusalOf(error: unknown): MailRefusedError {
  const { code, command, responseCode, permanent } = (error instanceof Error ? error : {}) as SmtpFailure;
  // 421 ends the connection, whatever it answers.
  if (responseCode !== undefined && responseCode !== 421 && ABOUT_THE_MAIL.has(command ?? '')) {
    const kind = permanent === true ? 'recipient' : 'later';
    return new MailRefusedError(kind, `the server refused it (${command ?? ''}: ${String(responseCode)})`);
  }
  if (code === 'EENVELOPE' && responseCode === undefined) {
    return new MailRefusedError('recipient', 'the address is not valid');
  }
  // The server's own text is omitted: it often repeats the address.
  const details = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  const reason = responseCode === undefined ? messageOf(error) : 'the server refused';
  return new MailRefusedError('server', details === '' ? reason : `${reason} (${details})`);
}
