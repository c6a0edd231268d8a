import { Injectable } from '@nestjs/common';
import { OutgoingRulesService } from '../../platform/outgoing/outgoing-rules.service.js';
import { SignupConfig } from './signup.config.js';
import { type SignupModeName } from './signup.types.js';

/** The mode of sign-up that the operator has set. */
@Injectable()
export class SignupModeService {
  constructor(
    private readonly config: SignupConfig,
    outgoing: OutgoingRulesService,
  ) {
    if (this.isOpen) outgoing.admitStrangers();
  }

  get name(): SignupModeName {
    return this.config.mode;
  }

  /** True if anyone can sign up. */
  get isOpen(): boolean {
    return this.name === 'open';
  }
}
