import { Injectable } from '@nestjs/common';
import { OutgoingRulesService } from '../../platform/outgoing/outgoing-rules.service.js';
import { databaseAddressOf } from './source-address.js';
import { SourceAddressNotAllowedError } from './source.errors.js';
import { type SourceSettings } from './source.types.js';

/** Checks addresses of sources against the rules of the operator. */
@Injectable()
export class SourceAddressesService {
  constructor(private readonly outgoing: OutgoingRulesService) {}

  /** @throws SourceAddressNotAllowedError */
  async requireAllowed({ type, url }: Pick<SourceSettings, 'type' | 'url'>): Promise<void> {
    const problem = type === 'sql' ? await this.databaseProblem(url) : await this.outgoing.problemOf(url);
    if (problem !== null) throw new SourceAddressNotAllowedError(problem);
  }

  private async databaseProblem(url: string): Promise<string | null> {
    const { host, sslMode } = databaseAddressOf(url);
    const encrypted = sslMode === 'verify-full';
    const problem = await this.outgoing.problemOfHost(host, { encrypted });
    if (problem === null || encrypted) return problem;
    // The rule mentions the web; it requires a connection that is encrypted and verified.
    const isForPlain = (await this.outgoing.problemOfHost(host, { encrypted: true })) === null;
    return isForPlain ? 'the connection must be encrypted: add ?sslmode=verify-full' : problem;
  }
}
