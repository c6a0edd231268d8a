import { Injectable } from '@nestjs/common';
import { isIP, type BlockList } from 'node:net';
import { Clock } from '../../common/clock.js';
import { classOf, isWithin, parseNetwork } from './address-classes.js';
import { NameLookup } from './name-lookup.service.js';
import { OrganisationCountRepository } from './organisation-count.repository.js';
import { OutgoingConfig } from './outgoing.config.js';
import { addressNotAllowed, OutgoingError } from './outgoing.errors.js';

const COUNT_KEPT_SECONDS = 5;
/** How long somebody who enters an address waits for its look-up. */
const LOOK_MS = 3000;
const NEEDS_HTTPS = 'the address must begin with https://';

/** What is allowed at a moment. */
interface Rules {
  any: boolean;
  public: boolean;
  networks: readonly BlockList[];
}

/** Which addresses organisations may have requests sent to. */
@Injectable()
export class OutgoingRules {
  private readonly stated: Rules;
  private readonly isStated: boolean;
  private admitsStrangers = false;
  private counted: { hasSecond: boolean; at: number } | undefined;

  constructor(
    { allowed }: OutgoingConfig,
    private readonly organisations: OrganisationCountRepository,
    private readonly names: NameLookup,
    private readonly clock: Clock,
  ) {
    this.isStated = allowed.length > 0;
    this.stated = {
      any: allowed.includes('any'),
      public: allowed.includes('public'),
      networks: allowed.flatMap((entry) => parseNetwork(entry) ?? []),
    };
  }

  /** People whom the operator does not know can make organisations: unless the operator said otherwise, only the internet is reached. */
  admitStrangers(): void {
    this.admitsStrangers = true;
  }

  /**
   * The addresses of a host that a connection may go to, as the rules are now; never empty.
   * @param host name or address, an IPv6 one without brackets
   * @param encrypted by TLS from the first byte, as https is
   * @throws OutgoingError
   */
  async reachable(host: string, { encrypted }: { encrypted: boolean }): Promise<string[]> {
    const addresses = isIP(host) === 0 ? await this.resolve(host) : [host];
    const rules = await this.rules();
    const allowed = addresses.filter((address) => isAllowed(rules, address, encrypted));
    if (allowed.length > 0) return allowed;
    const isOnlyPlain = addresses.some((address) => isAllowed(rules, address, true));
    throw addressNotAllowed(
      isOnlyPlain ? NEEDS_HTTPS : 'the operator of this installation does not allow this address',
    );
  }

  /**
   * What is wrong with a web address that somebody enters; null when nothing is. A name that is not known at the moment is
   * no fault: what counts is where it leads when a request is sent.
   */
  async problemOf(url: string): Promise<string | null> {
    const { hostname, protocol } = new URL(url);
    const encrypted = protocol === 'https:';
    const problem = await this.problemOfHost(bare(hostname), { encrypted });
    if (problem !== null || encrypted) return problem;
    const { any, networks } = await this.rules();
    return any || networks.length > 0 ? null : NEEDS_HTTPS;
  }

  /** The same for a host that is reached by another protocol than HTTP. */
  async problemOfHost(
    host: string,
    { encrypted }: { encrypted: boolean } = { encrypted: true },
  ): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, LOOK_MS, null);
    });
    try {
      return await Promise.race([enough, this.reachable(host, { encrypted }).then(() => null)]);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return error.failure === 'address_not_allowed' ? error.message : null;
    } finally {
      clearTimeout(timer);
    }
  }

  private async resolve(name: string): Promise<string[]> {
    try {
      const addresses = await this.names.addressesOf(name);
      if (addresses.length > 0) return addresses;
    } catch {
      // The reason of the system repeats the name.
    }
    throw new OutgoingError('unreachable', 'the name of the host is not known');
  }

  private async rules(): Promise<Rules> {
    if (this.isStated) return this.stated;
    const isPublic = this.admitsStrangers || (await this.hasSecondOrg());
    return { any: !isPublic, public: isPublic, networks: [] };
  }

  private async hasSecondOrg(): Promise<boolean> {
    const now = this.clock.now();
    if (this.counted === undefined || now - this.counted.at >= COUNT_KEPT_SECONDS) {
      this.counted = { hasSecond: await this.organisations.hasSecondOrg(), at: now };
    }
    return this.counted.hasSecond;
  }
}

/** The host of a parsed web address, without the brackets of IPv6. */
export const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function isAllowed(rules: Rules, address: string, encrypted: boolean): boolean {
  const kind = classOf(address);
  if (kind === 'never') return false;
  if (rules.any || rules.networks.some((network) => isWithin(network, address))) return true;
  return rules.public && kind === 'public' && encrypted;
}
