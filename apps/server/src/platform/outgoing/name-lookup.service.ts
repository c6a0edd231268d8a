import { Injectable } from '@nestjs/common';
import { lookup } from 'node:dns/promises';

/** Resolves the addresses of a name with the resolver of the system. */
@Injectable()
export class NameLookupService {
  /** Milliseconds after which a name counts as unknown if a caller waits for it. */
  readonly longestMs: number = 3000;

  async addressesOf(name: string): Promise<string[]> {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
  }
}
