import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ServerAddresses } from '../channel/server-addresses.service.js';
import { Watchers } from './watchers.service.js';

/** The addresses of Teams channels that watchers name, for those who send there. */
@Injectable()
export class WatcherAddresses implements OnModuleInit {
  constructor(
    private readonly addresses: ServerAddresses,
    private readonly watchers: Watchers,
  ) {}

  onModuleInit(): void {
    this.addresses.register((orgId) => this.watchers.teamsAddresses(orgId));
  }
}
