import { Injectable } from '@nestjs/common';
import { SetupConfig } from './setup.config.js';

/** Whether this installation shows a demo to visitors: what the operator has said. */
@Injectable()
export class DemoSwitch {
  constructor(private readonly config: SetupConfig) {}

  get isOn(): boolean {
    return this.config.demo;
  }
}
