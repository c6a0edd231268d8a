import { Injectable } from '@nestjs/common';
import { partsOfReference, serverReference } from './server-reference.functions.js';

/** The addresses in the settings of an organisation. */
type AddressSource = (orgId: number) => Promise<readonly string[]>;

/** Resolves the reference in a stored message to its address. */
@Injectable()
export class ServerAddressesService {
  private readonly sources: AddressSource[] = [];

  /** Areas with addresses call it when their module starts. */
  register(source: AddressSource): void {
    this.sources.push(source);
  }

  /** Null: no current address has this reference. */
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
