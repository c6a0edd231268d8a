import { Module } from '@nestjs/common';
import { ProtocolSettingsService } from './protocol-settings.service.js';

/** Settings of protocols, without the intake of points: for the area that manages these settings. */
@Module({ providers: [ProtocolSettingsService], exports: [ProtocolSettingsService] })
export class ProtocolSettingsModule {}
