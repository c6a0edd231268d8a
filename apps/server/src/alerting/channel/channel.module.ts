import { Module } from '@nestjs/common';
import { ChannelRegistry } from './channel-registry.service.js';

/** What areas that send alerts and areas that carry them have in common. */
@Module({ providers: [ChannelRegistry], exports: [ChannelRegistry] })
export class ChannelModule {}
