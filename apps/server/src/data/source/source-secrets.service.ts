import { Injectable } from '@nestjs/common';
import { Secrets } from '../../common/secrets/secrets.js';
import { NO_SECRETS, type SourceSecrets } from './source.types.js';

const PURPOSE = 'source';

/** Seals and opens the secrets of sources. */
@Injectable()
export class SourceSecretsService {
  constructor(private readonly secrets: Secrets) {}

  /** Null if there is nothing to store. */
  sealedOf(orgId: number, { password, headers }: SourceSecrets): string | null {
    if (password === '' && Object.keys(headers).length === 0) return null;
    return this.secrets.seal(PURPOSE, boundTo(orgId), JSON.stringify({ password, headers }));
  }

  /** Secrets sealed under a removed key count as not set. */
  open({ orgId, secretsSealed }: { orgId: number; secretsSealed: string | null }): SourceSecrets {
    const text = secretsSealed === null ? null : this.secrets.tryOpen(PURPOSE, boundTo(orgId), secretsSealed);
    return text === null ? NO_SECRETS : (JSON.parse(text) as SourceSecrets);
  }
}

const boundTo = (orgId: number): string => `org/${String(orgId)}`;
