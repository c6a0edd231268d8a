import { Module } from '@nestjs/common';
import { ConfigKindsService } from './config-kinds.service.js';

/** Shared by the area that applies documents and the areas whose settings they describe. */
@Module({ providers: [ConfigKindsService], exports: [ConfigKindsService] })
export class ConfigKindModule {}
