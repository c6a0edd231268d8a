import { Module } from '@nestjs/common';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { SignupModeService } from './signup-mode.service.js';

/** The mode of sign-up without its calls: for the demo, which the role `ingest` feeds. */
@Module({ imports: [OutgoingModule], providers: [SignupModeService], exports: [SignupModeService] })
export class SignupModeModule {}
