import { Injectable } from '@nestjs/common';
import { lookup } from 'node:dns/promises';

/** Asks the system for the addresses of a name. */
@Injectable()
export class NameLookup {
  async addressesOf(name: string): Promise<string[]> {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
  }
}
