import { Module } from '@nestjs/common';
import { ChannelRegistry } from './channel-registry.service.js';
import { ClosedWays } from './closed-ways.service.js';

/** What areas that send alerts and areas that carry them have in common. */
@Module({ providers: [ChannelRegistry, ClosedWays], exports: [ChannelRegistry, ClosedWays] })
export class ChannelModule {}
