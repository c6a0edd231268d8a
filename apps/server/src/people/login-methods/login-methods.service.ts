import { Injectable } from '@nestjs/common';
import { InstanceMailService } from '../../platform/mail/instance-mail.service.js';
import { DemoSwitchService } from '../setup/demo-switch.service.js';
import { SignupModeService } from '../signup/signup-mode.service.js';
import { SsoOfferService } from '../sso/sso-offer.service.js';
import { type LoginMethodsDto } from './dto/login-methods.dto.js';

/** The available login methods, as the operator has configured them. */
@Injectable()
export class LoginMethodsService {
  constructor(
    private readonly sso: SsoOfferService,
    private readonly signup: SignupModeService,
    private readonly demo: DemoSwitchService,
    private readonly mail: InstanceMailService,
  ) {}

  list(): LoginMethodsDto {
    const { label, url } = this.sso.link;
    return {
      password: true,
      sso: { enabled: this.sso.isOn, label, url },
      signup: this.signup.name,
      demo: this.demo.isOn,
      mail: this.mail.server !== null,
    };
  }
}
