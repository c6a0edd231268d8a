import { Module } from '@nestjs/common';
import { MailModule } from '../../platform/mail/mail.module.js';
import { DemoSwitchModule } from '../setup/demo-switch.module.js';
import { SignupModeModule } from '../signup/signup-mode.module.js';
import { SsoOfferModule } from '../sso/sso-offer.module.js';
import { LoginMethodsController } from './login-methods.controller.js';
import { LoginMethodsService } from './login-methods.service.js';

/** The login methods that a login page offers. */
@Module({
  imports: [DemoSwitchModule, MailModule, SignupModeModule, SsoOfferModule],
  controllers: [LoginMethodsController],
  providers: [LoginMethodsService],
})
export class LoginMethodsModule {}
