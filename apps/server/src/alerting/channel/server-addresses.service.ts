import { Injectable } from '@nestjs/common';
import { partsOfReference, serverReference } from './server-reference.functions.js';

/** The addresses that an organisation has set somewhere. */
type AddressSource = (orgId: number) => Promise<readonly string[]>;

/** Resolves the reference in a stored message to its address. */
@Injectable()
export class ServerAddressesService {
  private readonly sources: AddressSource[] = [];

  /** To be called by areas that keep addresses, when their module starts. */
  register(source: AddressSource): void {
    this.sources.push(source);
  }

  /** Null: no address that is set now has this reference. */
  async find(orgId: number, reference: string): Promise<string | null> {
    const { digest } = partsOfReference(reference);
    for (const source of this.sources) {
      const found = (await source(orgId)).find(
        (address) => partsOfReference(serverReference(address)).digest === digest,
      );
      if (found !== undefined) return found;
    }
    return null;
  }
}
