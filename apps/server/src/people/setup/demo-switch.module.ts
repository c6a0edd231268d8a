import { Module } from '@nestjs/common';
import { SignupModeModule } from '../signup/signup-mode.module.js';
import { DemoSwitchService } from './demo-switch.service.js';

/** The switch of the demo for visitors, without the initial setup of an installation. */
@Module({ imports: [SignupModeModule], providers: [DemoSwitchService], exports: [DemoSwitchService] })
export class DemoSwitchModule {}
