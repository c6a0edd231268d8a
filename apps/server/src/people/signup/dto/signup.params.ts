import { type ErrorDetail } from '#libs/contracts';
import { Check, repeats } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  EmailParam,
  GivenPasswordParam,
  PasswordParam,
  StrParam,
  TimezoneParam,
} from '../../../common/validation/param.decorators.js';

export class SelfServeParams {
  @EmailParam({ required: true, description: 'Where the link goes; later the login.' })
  email!: string;

  @StrParam({ required: true, max: 100 })
  user_name!: string;

  @StrParam({ required: true, max: 100 })
  org_name!: string;

  @TimezoneParam({ required: true })
  timezone!: string;

  @BoolParam({ default: false, description: 'For trying things out: the organisation is deleted after 30 days.' })
  test_data!: boolean;
}

@Check<VerifyParams>(repeats('password_2', 'password_1'))
@Check<VerifyParams>(({ password_1: first, email }): ErrorDetail[] => {
  if (first === undefined || first.toLowerCase() !== email?.toLowerCase()) return [];
  const message = 'password_1 must differ from the e-mail address';
  return [{ field: 'password_1', code: 'weak_password', message }];
})
export class VerifyParams {
  @StrParam({ required: true, max: 254, description: 'The address that the mail with the token went to.' })
  email!: string;

  @StrParam({ required: true, max: 100, isSecret: true, description: 'From the mail of a sign-up or an invitation.' })
  verification_token!: string;

  @PasswordParam({ required: true })
  password_1!: string;

  @GivenPasswordParam({ required: true, description: 'The same password again.' })
  password_2!: string;
}
