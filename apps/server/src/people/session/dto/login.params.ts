import { GivenPasswordParam, PasswordParam, StrParam } from '../../../common/validation/param.decorators.js';
import { Check, repeats } from '../../../common/validation/param-registry.js';

/** The form is not validated: an invalid address belongs to no account and gets the same answer. */
const LoginEmailParam = () =>
  StrParam({ required: true, max: 254, description: 'E-mail address; upper and lower case are the same.' });

export class LoginParams {
  @LoginEmailParam()
  email!: string;

  @GivenPasswordParam({ required: true })
  password!: string;
}

export class ForgotPasswordParams {
  @LoginEmailParam()
  email!: string;
}

@Check<ResetPasswordParams>(repeats('new_password_2', 'new_password_1'))
export class ResetPasswordParams {
  @StrParam({ required: true, description: 'From the link in the mail.' })
  token!: string;

  @PasswordParam({ required: true })
  new_password_1!: string;

  @GivenPasswordParam({ required: true, description: 'The same password again.' })
  new_password_2!: string;
}

export class ValidateClientParams {
  @StrParam({ required: true, pattern: /^[0-9]{6}$/, says: 'must be six digits', max: 6 })
  code!: string;

  @StrParam({ description: 'From the link in the mail; without it the session id of POST /login must be presented.' })
  token?: string;
}

@Check<UpdatePasswordParams>(repeats('new_password_2', 'new_password_1'))
export class UpdatePasswordParams {
  @GivenPasswordParam({ required: true })
  old_password!: string;

  @PasswordParam({ required: true })
  new_password_1!: string;

  @GivenPasswordParam({ required: true, description: 'The same password again.' })
  new_password_2!: string;
}
