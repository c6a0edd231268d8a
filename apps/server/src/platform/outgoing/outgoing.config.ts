import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { messageOf } from '../../common/errors/message-of.js';
import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';
import { parseNetwork } from './address-classes.js';

/** Allowed destinations of requests that organisations configure. */
export class OutgoingConfig {
  @Setting({
    env: 'PLUMBLINE_OUTGOING',
    type: 'list',
    pattern: /^(?:public|any|[0-9A-Fa-f:.]{2,45}\/\d{1,3})$/,
    form: 'public, any, or networks such as 10.0.0.0/8',
    defaultText: 'any; public once sign-up is open or there is a second organisation',
    sentence:
      'Addresses that organisations may configure for alerts and other requests: internet addresses over https (public), all addresses (any), or those in your own networks; several are separated by commas. Link-local addresses and those of cloud metadata are always refused.',
  })
  allowed: readonly string[] = [];

  @Setting({
    env: 'PLUMBLINE_OUTGOING_CA_FILE',
    type: 'string',
    form: 'a PEM file',
    defaultText: 'none: the default authorities only',
    sentence: 'Additional certificate authorities that are trusted for such requests.',
  })
  caFile: string | undefined;

  problems(): readonly SettingProblem[] {
    const problems = this.allowed
      .filter((entry) => entry.includes('/') && parseNetwork(entry) === undefined)
      .map((entry) => ({ env: 'PLUMBLINE_OUTGOING', message: `${entry} is not a network` }));
    return [...problems, ...this.caProblems()];
  }

  /** The additional authorities; undefined if there are none. */
  get authorities(): string | undefined {
    return this.caFile === undefined ? undefined : readFileSync(this.caFile, 'utf8');
  }

  private caProblems(): SettingProblem[] {
    try {
      const pem = this.authorities;
      if (pem !== undefined) new X509Certificate(pem);
      return [];
    } catch (error) {
      return [{ env: 'PLUMBLINE_OUTGOING_CA_FILE', message: `contains no certificate: ${messageOf(error)}` }];
    }
  }
}
