import { Module } from '@nestjs/common';
import { ConfigKinds } from './config-kinds.service.js';

/** What areas whose settings documents describe and the area that applies documents have in common. */
@Module({ providers: [ConfigKinds], exports: [ConfigKinds] })
export class ConfigKindModule {}
