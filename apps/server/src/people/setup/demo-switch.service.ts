import { Injectable } from '@nestjs/common';
import { SignupModeService } from '../signup/signup-mode.service.js';
import { SetupConfig } from './setup.config.js';

/** Defines whether this installation shows a demo to visitors, as the operator has set it. */
@Injectable()
export class DemoSwitchService {
  constructor(
    private readonly config: SetupConfig,
    private readonly signup: SignupModeService,
  ) {}

  /** With `auto`, visitors have access if anyone can sign up. */
  get isOn(): boolean {
    const { demo, demoVisits } = this.config;
    return demo && (demoVisits === 'auto' ? this.signup.isOpen : demoVisits === 'on');
  }
}
