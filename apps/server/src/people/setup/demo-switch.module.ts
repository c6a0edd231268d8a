import { Module } from '@nestjs/common';
import { SignupModeModule } from '../signup/signup-mode.module.js';
import { DemoSwitchService } from './demo-switch.service.js';

/** Whether visitors may look at a demo, without what the first start makes. */
@Module({ imports: [SignupModeModule], providers: [DemoSwitchService], exports: [DemoSwitchService] })
export class DemoSwitchModule {}
