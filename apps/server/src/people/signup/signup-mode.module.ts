import { Module } from '@nestjs/common';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { SignupModeService } from './signup-mode.service.js';

/** The mode of sign-up without its calls: for the demo, for which the role `ingest` creates data. */
@Module({ imports: [OutgoingModule], providers: [SignupModeService], exports: [SignupModeService] })
export class SignupModeModule {}
