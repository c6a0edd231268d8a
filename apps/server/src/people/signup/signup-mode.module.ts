import { Module } from '@nestjs/common';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { SignupModeService } from './signup-mode.service.js';

/** The sign-up mode without the sign-up calls: for the demo, whose data the role `ingest` creates. */
@Module({ imports: [OutgoingModule], providers: [SignupModeService], exports: [SignupModeService] })
export class SignupModeModule {}
