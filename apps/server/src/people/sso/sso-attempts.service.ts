import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { SsoRepository } from './sso.repository.js';
import { type SsoAttempt } from './sso.types.js';

/** Maximum duration of a login at the provider. */
export const SSO_LOGIN_SECONDS = 600;
/** Purpose of the sealed attempts of `sso_login`. */
const PURPOSE = 'sso';

/** Pending logins at the provider, sealed. Each belongs to the browser that started it. */
@Injectable()
export class SsoAttemptsService {
  constructor(
    private readonly logins: SsoRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** @param browser secret that only this browser has */
  async create(state: string, browser: string, attempt: SsoAttempt): Promise<void> {
    const stateHash = this.hash(state);
    await this.logins.insertLogin({
      stateHash,
      browserHash: this.hash(browser),
      sealed: this.secrets.seal(PURPOSE, boundTo(stateHash), JSON.stringify(attempt)),
      expiresAt: this.clock.now() + SSO_LOGIN_SECONDS,
    });
  }

  /** Returns the attempt, only once; null if this browser has none, or it has expired. */
  async take(state: string, browser: string): Promise<SsoAttempt | null> {
    const hashes = (secret: string) => this.secrets.keyedHashes(PURPOSE, secret);
    const login = await this.logins.takeLogin(hashes(state), hashes(browser), this.clock.now());
    if (login === null) return null;
    const { stateHash, sealed } = login;
    return JSON.parse(this.secrets.open(PURPOSE, boundTo(stateHash), sealed)) as SsoAttempt;
  }

  private hash(secret: string): Buffer {
    return this.secrets.keyedHash(PURPOSE, secret);
  }
}

const boundTo = (stateHash: Buffer): string => `sso_login/${stateHash.toString('hex')}`;
