import { Injectable } from '@nestjs/common';
import { isIP, type BlockList } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../../common/clock.js';
import { classOf, isWithin, parseNetwork } from './address-classes.js';
import { NameLookupService } from './name-lookup.service.js';
import { OrganisationCountRepository } from './organisation-count.repository.js';
import { OutgoingConfig } from './outgoing.config.js';
import { addressNotAllowed, OutgoingError } from './outgoing.errors.js';

const COUNT_KEPT_SECONDS = 5;
const NEEDS_HTTPS = 'the address must begin with https://';
const NOT_ALLOWED = 'the operator of this installation does not allow this address (PLUMBLINE_OUTGOING)';
/**
 * Used both for names of internal addresses and for unknown names, so that it does not reveal which internal names
 * exist.
 */
const NOT_ALLOWED_OR_KNOWN = `${NOT_ALLOWED}, or its name is not known`;

/** The current rules. */
interface Rules {
  any: boolean;
  public: boolean;
  networks: readonly BlockList[];
}

/** Rules for the addresses of requests that organisations configure. */
@Injectable()
export class OutgoingRulesService {
  private readonly stated: Rules;
  private readonly isStated: boolean;
  private admitsStrangers = false;
  private counted: { hasSecond: boolean; at: number } | undefined;

  constructor(
    { allowed }: OutgoingConfig,
    private readonly organisations: OrganisationCountRepository,
    private readonly names: NameLookupService,
    private readonly clock: Clock,
  ) {
    this.isStated = allowed.length > 0;
    this.stated = {
      any: allowed.includes('any'),
      public: allowed.includes('public'),
      networks: allowed.flatMap((entry) => parseNetwork(entry) ?? []),
    };
  }

  /**
   * Declares that people unknown to the operator can create organisations: unless the operator allows more, only
   * internet addresses are reachable.
   */
  admitStrangers(): void {
    this.admitsStrangers = true;
  }

  /**
   * The addresses of a host that a connection may use according to the current rules; never empty. If the rules do not
   * allow all addresses, a refused name and an unknown one cause the same error after the same time.
   * @param host name or address, an IPv6 address without brackets
   * @param encrypted true for a connection with required TLS, such as https
   * @throws OutgoingError
   */
  async reachable(host: string, { encrypted }: { encrypted: boolean }): Promise<string[]> {
    const rules = await this.rules();
    if (isIP(host) !== 0) return allowedOf([host], rules, { encrypted, refusal: NOT_ALLOWED });
    if (rules.any) return allowedOf(await this.resolve(host), rules, { encrypted, refusal: NOT_ALLOWED });
    // It applies to any address of the name, so the name is not resolved.
    if (!encrypted && rules.networks.length === 0) throw addressNotAllowed(NEEDS_HTTPS);
    return this.reachableByName(host, rules, encrypted);
  }

  /**
   * Returns the problem of a web address that a person enters; null if there is none. If all addresses are allowed, a
   * name that is currently unknown is not a problem: only its addresses at the time of a request count.
   */
  problemOf(url: string): Promise<string | null> {
    const { hostname, protocol } = new URL(url);
    return this.problemOfHost(bare(hostname), { encrypted: protocol === 'https:' });
  }

  /** The same for a host with a protocol other than HTTP. */
  async problemOfHost(
    host: string,
    { encrypted }: { encrypted: boolean } = { encrypted: true },
  ): Promise<string | null> {
    const { any } = await this.rules();
    const looking = this.reachable(host, { encrypted }).then(() => null);
    try {
      return await (any ? this.withinTime(looking, null) : looking);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return error.failure === 'address_not_allowed' ? error.message : null;
    }
  }

  private async reachableByName(name: string, rules: Rules, encrypted: boolean): Promise<string[]> {
    const began = performance.now();
    const addresses = await this.withinTime(
      this.resolve(name).catch(() => []),
      [],
    );
    try {
      return allowedOf(addresses, rules, { encrypted, refusal: NOT_ALLOWED_OR_KNOWN });
    } catch (error) {
      // The response time would reveal whether the name exists.
      await pause(Math.max(0, this.names.longestMs - (performance.now() - began)));
      throw error;
    }
  }

  /** The result of a lookup, or `otherwise` if it takes too long; its later result is ignored. */
  private async withinTime<T>(looking: Promise<T>, otherwise: T): Promise<T> {
    const ending = new AbortController();
    try {
      return await Promise.race([looking, pause(this.names.longestMs, otherwise, { signal: ending.signal })]);
    } finally {
      ending.abort();
    }
  }

  private async resolve(name: string): Promise<string[]> {
    try {
      const addresses = await this.names.addressesOf(name);
      if (addresses.length > 0) return addresses;
    } catch {
      // The error message of the system repeats the name.
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

/** @throws OutgoingError if none is allowed */
function allowedOf(
  addresses: readonly string[],
  rules: Rules,
  { encrypted, refusal }: { encrypted: boolean; refusal: string },
): string[] {
  const allowed = addresses.filter((address) => isAllowed(rules, address, encrypted));
  if (allowed.length > 0) return allowed;
  const isOnlyPlain = addresses.some((address) => isAllowed(rules, address, true));
  throw addressNotAllowed(isOnlyPlain ? NEEDS_HTTPS : refusal);
}

function isAllowed(rules: Rules, address: string, encrypted: boolean): boolean {
  const kind = classOf(address);
  if (kind === 'never') return false;
  if (rules.any || rules.networks.some((network) => isWithin(network, address))) return true;
  return rules.public && kind === 'public' && encrypted;
}
