import { type Socket } from 'node:net';
import { type MailConfig } from './mail.config.js';

/** A mail with both its parts, and with an identity that stays the same over all attempts. */
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
  /** Message-ID of the preceding mail, with its angle brackets. */
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  /** Shown inside the HTML by `cid:…`. */
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
  /** Opens the connections; by default they are opened to host and port. */
  connect?: () => Promise<Socket>;
}
