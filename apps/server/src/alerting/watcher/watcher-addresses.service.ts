import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ServerAddressesService } from '../channel/server-addresses.service.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

/** The addresses of Teams channels of watchers, for the code that sends to them. */
@Injectable()
export class WatcherAddressesService implements OnModuleInit {
  constructor(
    private readonly addresses: ServerAddressesService,
    private readonly watchers: WatcherDirectoryService,
  ) {}

  onModuleInit(): void {
    this.addresses.register((orgId) => this.watchers.teamsAddresses(orgId));
  }
}
