import { Injectable } from '@nestjs/common';
import { SignupConfig } from './signup.config.js';

/** Who may sign up, as the operator has set it. */
@Injectable()
export class SignupMode {
  constructor(private readonly config: SignupConfig) {}

  /** Whether strangers are welcome. */
  get isOpen(): boolean {
    return this.config.mode === 'open';
  }
}
