import { Module } from '@nestjs/common';
import { AlertLinks } from './alert-links.service.js';
import { AlertPictures } from './alert-pictures.service.js';
import { ChannelRegistry } from './channel-registry.service.js';
import { ClosedWays } from './closed-ways.service.js';
import { NamedChannels } from './named-channels.service.js';
import { ServerAddresses } from './server-addresses.service.js';

/** What areas that send alerts and areas that carry them have in common. */
@Module({
  providers: [AlertLinks, AlertPictures, ChannelRegistry, ClosedWays, NamedChannels, ServerAddresses],
  exports: [AlertLinks, AlertPictures, ChannelRegistry, ClosedWays, NamedChannels, ServerAddresses],
})
export class ChannelModule {}
