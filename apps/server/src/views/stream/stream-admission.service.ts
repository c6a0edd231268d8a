import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Permission } from '#libs/contracts';
import { CredentialDirectory, type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { StreamConfig } from './stream.config.js';
import { TooManyStreamsError } from './stream.errors.js';
import { StreamListenersRepository } from './stream-listeners.repository.js';
import { type EndReason } from './stream.types.js';

/** A removed token is cached for up to four seconds, and must not be accepted for longer than five. */
const CHECK_EVERY_MS = 1000;
/** Each check of a session queries the database. */
const SESSIONS_EVERY = 4;
const AT_A_TIME = 8;
const ALIVE_EVERY = 20;

/** Receives the outcome of a check. */
interface Watched {
  caller: KnownCaller;
  end(reason: EndReason): void;
}

interface Admission {
  orgId: number;
  caller: KnownCaller;
  token: string | undefined;
  watched?: Watched;
}

export interface Admitted {
  /** Subscribes to changes of the credential. */
  watch(listener: Watched): void;
  release(): Promise<void>;
}

/**
 * Decides which clients may listen, and for how long: within the limits of the installation, and while the credential
 * is valid.
 */
@Injectable()
export class StreamAdmissionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(StreamAdmissionService.name);
  private readonly admissions = new Map<string, Admission>();
  private timer: NodeJS.Timeout | undefined;
  private round = 0;
  private checking: Promise<void> | undefined;

  constructor(
    private readonly listeners: StreamListenersRepository,
    private readonly transactions: Transactions,
    private readonly credentials: CredentialDirectory,
    private readonly config: StreamConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.checking ??= this.check().finally(() => (this.checking = undefined));
    }, CHECK_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
  }

  /** @param token as presented, if the caller is a token @throws TooManyStreamsError */
  async admit(caller: KnownCaller, token: string | undefined): Promise<Admitted> {
    const id = randomUUID();
    const orgId = caller.org.id;
    const { perParty, perOrg } = this.config;
    const party = caller.kind === 'user' ? `user:${String(caller.userId)}` : `token:${String(caller.tokenRef)}`;
    const { ofParty, ofOrg } = await this.transactions.run((tx) =>
      this.listeners.add(orgId, { id, party, perParty, perOrg }, tx),
    );
    if (ofParty >= perParty) throw new TooManyStreamsError('party', perParty);
    if (ofOrg >= perOrg) throw new TooManyStreamsError('organisation', perOrg);
    const admission: Admission = { orgId, caller, token };
    this.admissions.set(id, admission);
    return {
      watch: (listener) => void (admission.watched = listener),
      release: async () => {
        this.admissions.delete(id);
        try {
          await this.listeners.remove(orgId, id);
        } catch (error) {
          // The row expires once it is no longer renewed.
          this.logger.debug(`A listener could not be forgotten: ${messageOf(error)}`);
        }
      },
    };
  }

  /** Checks every credential once, and ends the streams of credentials that are no longer valid. */
  private async check(): Promise<void> {
    const round = this.round++;
    try {
      if (round % ALIVE_EVERY === 0 && this.admissions.size > 0) {
        await this.listeners.noteAlive([...this.admissions.keys()]);
      }
      const toCheck = new Map<string, Admission[]>();
      for (const admission of this.admissions.values()) {
        const { caller, token = '' } = admission;
        if (caller.kind === 'user' && round % SESSIONS_EVERY !== 0) continue;
        const key = caller.kind === 'user' ? caller.sessionId : token;
        toCheck.set(key, [...(toCheck.get(key) ?? []), admission]);
      }
      const groups = [...toCheck.values()];
      for (let first = 0; first < groups.length; first += AT_A_TIME) {
        await Promise.all(groups.slice(first, first + AT_A_TIME).map((group) => this.checkGroup(group)));
      }
    } catch (error) {
      // Without the database no credential can be checked; open streams continue.
      this.logger.debug(`Credentials of listeners could not be checked: ${messageOf(error)}`);
    }
  }

  private async checkGroup(group: readonly Admission[]): Promise<void> {
    const { caller, token = '' } = group[0]!;
    const found =
      caller.kind === 'user'
        ? await this.credentials.findSession(caller.sessionId, { isUse: false })
        : await this.credentials.findToken(token);
    const mayListen = typeof found === 'object' && (found.permissions & Permission.Read) !== 0;
    for (const { watched } of group) {
      if (!watched) continue;
      if (mayListen) watched.caller = found;
      else watched.end('credential_ended');
    }
  }
}
