import { Module } from '@nestjs/common';
import { SignupModeModule } from '../signup/signup-mode.module.js';
import { DemoSwitch } from './demo-switch.service.js';

/** Whether visitors may look at a demo, without what the first start makes. */
@Module({ imports: [SignupModeModule], providers: [DemoSwitch], exports: [DemoSwitch] })
export class DemoSwitchModule {}
