import { Module } from '@nestjs/common';
import { ProtocolSettings } from './protocol-settings.service.js';

/** What organisations have set for protocols, apart from taking points in: for the area that knows these settings. */
@Module({ providers: [ProtocolSettings], exports: [ProtocolSettings] })
export class ProtocolSettingsModule {}
