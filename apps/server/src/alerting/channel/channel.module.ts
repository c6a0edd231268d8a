import { Module } from '@nestjs/common';
import { AlertLinksService } from './alert-links.service.js';
import { AlertPicturesService } from './alert-pictures.service.js';
import { ChannelRegistryService } from './channel-registry.service.js';
import { ClosedChannelsService } from './closed-channels.service.js';
import { NamedChannelsService } from './named-channels.service.js';
import { ServerAddressesService } from './server-addresses.service.js';

/** Shared by the areas that send alerts and the areas that implement channels. */
@Module({
  providers: [
    AlertLinksService,
    AlertPicturesService,
    ChannelRegistryService,
    ClosedChannelsService,
    NamedChannelsService,
    ServerAddressesService,
  ],
  exports: [
    AlertLinksService,
    AlertPicturesService,
    ChannelRegistryService,
    ClosedChannelsService,
    NamedChannelsService,
    ServerAddressesService,
  ],
})
export class ChannelModule {}
