import { Module } from '@nestjs/common';
import { ConfigKindsService } from './config-kinds.service.js';

/** What areas whose settings documents describe and the area that applies documents have in common. */
@Module({ providers: [ConfigKindsService], exports: [ConfigKindsService] })
export class ConfigKindModule {}
