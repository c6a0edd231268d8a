import { Module } from '@nestjs/common';
import { ProtocolSettingsService } from './protocol-settings.service.js';

/** What organisations have set for protocols, apart from taking points in: for the area that knows these settings. */
@Module({ providers: [ProtocolSettingsService], exports: [ProtocolSettingsService] })
export class ProtocolSettingsModule {}
