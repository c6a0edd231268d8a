import { type Socket } from 'node:net';
import { type MailConfig } from './mail.config.js';

/** A mail with both its parts, and with the identity that it keeps over all tries. */
export interface ComposedMail {
  /** UUID; the Message-ID contains it. */
  id: string;
  /** Unix seconds. */
  createdAt: number;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Message-ID of the mail that it follows, with its angle brackets. */
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  /** Shown inside of the HTML by `cid:…`. */
  pictures?: readonly { cid: string; name: string; png: Buffer }[];
}

export interface SmtpOptions {
  host: string;
  port: number;
  security: MailConfig['security'];
  /** Null: no login. */
  login: { user: string; pass: string } | null;
  /** Certificate authorities instead of the default ones, PEM. */
  authorities?: readonly string[];
  /** Makes the connections; without it they are made to host and port. */
  connect?: () => Promise<Socket>;
}
