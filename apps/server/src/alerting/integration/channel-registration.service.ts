import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { CHANNELS } from './channels.js';

/** Registers the channels for the code that sends. */
@Injectable()
export class ChannelRegistrationService implements OnModuleInit {
  constructor(
    private readonly registry: ChannelRegistryService,
    private readonly module: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const channel of CHANNELS) this.registry.register(this.module.get(channel));
  }
}
