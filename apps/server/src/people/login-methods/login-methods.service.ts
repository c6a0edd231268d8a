import { Injectable } from '@nestjs/common';
import { InstanceMail } from '../../platform/mail/instance-mail.service.js';
import { DemoSwitch } from '../setup/demo-switch.service.js';
import { SignupMode } from '../signup/signup-mode.service.js';
import { SsoOffer } from '../sso/sso-offer.service.js';
import { type LoginMethodsDto } from './dto/login-methods.dto.js';

/** The ways to get in here, as the operator has set them. */
@Injectable()
export class LoginMethods {
  constructor(
    private readonly sso: SsoOffer,
    private readonly signup: SignupMode,
    private readonly demo: DemoSwitch,
    private readonly mail: InstanceMail,
  ) {}

  list(): LoginMethodsDto {
    const { label, url } = this.sso.way;
    return {
      password: true,
      sso: { enabled: this.sso.isOn, label, url },
      signup: this.signup.name,
      demo: this.demo.isOn,
      mail: this.mail.server !== null,
    };
  }
}
