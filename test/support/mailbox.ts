import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A self-signed certificate for localhost and 127.0.0.1, for tests only. */
export const TLS_CERTIFICATE_FILE = join(import.meta.dirname, 'tls/localhost.crt');
const TLS_KEY_FILE = join(import.meta.dirname, 'tls/localhost.key');

const TIMEOUT_MS = 15_000;

/** A mail as received: `subject`, `from`, `to`, `text`, `html`, `headers`, `messageId`, `date`. */
export interface ParsedMail extends Email {
  /** The address of RCPT TO. */
  recipient: string;
  /** The address of MAIL FROM. */
  envelopeFrom: string;
  /** Whether the connection was encrypted. */
  isEncrypted: boolean;
  /** The user who logged in at the server. */
  user: string | undefined;
  /** The mail as sent, undecoded. */
  raw: string;
}

export interface MailboxOptions {
  /** The only accepted login; by default no login is required. */
  auth?: { user: string; pass: string };
  /** Offers STARTTLS, with a certificate that clients must be configured to trust. */
  starttls?: boolean;
  /** Encrypts from the first byte, with that certificate. */
  tls?: boolean;
  /** SMTP code with which an address is rejected, such as 550 or 451; undefined accepts it. */
  refuse?: number | ((to: string) => number | undefined);
  /** Called when a mail has arrived; the mail is accepted once the promise resolves. */
  delay?: () => Promise<void>;
  /** A fixed port, for example that of a previous server. */
  port?: number;
}

interface Waiter {
  to: string;
  resolve: (mail: ParsedMail) => void;
}

/** A real mail server on a free port that records its mails. */
export class Mailbox {
  /** Received mails, in order of arrival. */
  readonly all: ParsedMail[] = [];
  /** May be changed while the server runs. */
  refuse: MailboxOptions['refuse'];
  delay: MailboxOptions['delay'];
  /** Number of mails that clients have begun to send, accepted or not. */
  tries = 0;

  private readonly waiters = new Set<Waiter>();
  private readonly taken = new Set<ParsedMail>();

  private constructor(
    private readonly server: SMTPServer,
    private readonly options: MailboxOptions,
    readonly port: number,
  ) {
    this.refuse = options.refuse;
    this.delay = options.delay;
  }

  static async start(options: MailboxOptions = {}): Promise<Mailbox> {
    const isEncrypted = options.tls === true || options.starttls === true;
    const mailbox: { current?: Mailbox } = {};
    const server = new SMTPServer({
      secure: options.tls === true,
      ...(isEncrypted ? { key: readFileSync(TLS_KEY_FILE), cert: readFileSync(TLS_CERTIFICATE_FILE) } : {}),
      disabledCommands: [...(options.starttls ? [] : ['STARTTLS']), ...(options.auth ? [] : ['AUTH'])],
      authOptional: options.auth === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      // Closing does not wait for idle connections that clients keep open.
      closeTimeout: 1,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === options.auth?.user && password === options.auth?.pass;
        if (isRight) done(null, { user: username });
        else done(new Error('Invalid login'));
      },
      onMailFrom: (_address, _session, done) => {
        mailbox.current!.tries++;
        done();
      },
      onRcptTo: ({ address }, _session, done) => {
        const { refuse } = mailbox.current!;
        const code = typeof refuse === 'function' ? refuse(address) : refuse;
        if (code === undefined) done();
        else done(Object.assign(new Error(`<${address}> is not taken`), { responseCode: code }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mailbox.current!.take(Buffer.concat(chunks), session).then(
            () => done(),
            (error: unknown) => done(error as Error),
          );
        });
      },
    });
    // Errors of clients that disconnect or do not trust the certificate do not concern the server.
    server.on('error', () => undefined);
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    return (mailbox.current = new Mailbox(server, options, port));
  }

  /** Settings of a product that mails to this server. */
  get env(): Record<string, string> {
    const { auth, starttls, tls } = this.options;
    return {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(this.port),
      SMTP_SECURITY: tls ? 'tls' : starttls ? 'starttls' : 'none',
      ...(tls || starttls ? { SMTP_CA_FILE: TLS_CERTIFICATE_FILE } : {}),
      ...(auth ? { SMTP_USERNAME: auth.user, SMTP_PASSWORD: auth.pass } : {}),
      MAIL_FROM: 'plumbline@example.org',
    };
  }

  /** The next mail to an address that was not returned yet; waits for it. */
  next(to: string): Promise<ParsedMail> {
    const here = this.all.find((mail) => !this.taken.has(mail) && isSame(mail.recipient, to));
    if (here) {
      this.taken.add(here);
      return Promise.resolve(here);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(waiter);
        const seen = this.all.map(({ recipient, subject }) => `${recipient}: ${subject ?? ''}`).join('; ');
        reject(new Error(`No mail to ${to} within ${String(TIMEOUT_MS)} ms. Arrived: ${seen || 'none'}`));
      }, TIMEOUT_MS);
      const waiter: Waiter = {
        to,
        resolve: (mail) => {
          clearTimeout(timer);
          resolve(mail);
        },
      };
      this.waiters.add(waiter);
    });
  }

  /** Stops the server and closes its connections. */
  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async take(raw: Buffer, session: SMTPServerSession): Promise<void> {
    await this.delay?.();
    const email = await PostalMime.parse(raw);
    const { mailFrom, rcptTo } = session.envelope;
    for (const { address } of rcptTo) {
      const mail: ParsedMail = {
        ...email,
        recipient: address,
        envelopeFrom: mailFrom === false ? '' : mailFrom.address,
        isEncrypted: session.secure,
        user: session.user,
        raw: raw.toString('utf8'),
      };
      this.all.push(mail);
      const waiter = [...this.waiters].find(({ to }) => isSame(to, address));
      if (!waiter) continue;
      this.waiters.delete(waiter);
      this.taken.add(mail);
      waiter.resolve(mail);
    }
  }
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
