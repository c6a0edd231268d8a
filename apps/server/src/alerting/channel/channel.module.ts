import { Module } from '@nestjs/common';
import { AlertLinks } from './alert-links.service.js';
import { AlertPictures } from './alert-pictures.service.js';
import { ChannelRegistry } from './channel-registry.service.js';
import { ClosedWays } from './closed-ways.service.js';

/** What areas that send alerts and areas that carry them have in common. */
@Module({
  providers: [AlertLinks, AlertPictures, ChannelRegistry, ClosedWays],
  exports: [AlertLinks, AlertPictures, ChannelRegistry, ClosedWays],
})
export class ChannelModule {}
