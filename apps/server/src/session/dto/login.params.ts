import { GivenPasswordParam, StrParam } from '../../common/validation/param.decorators.js';

export class LoginParams {
  /** Not checked for its form: what is no address belongs to no account, and is told nothing else. */
  @StrParam({ required: true, max: 254, description: 'E-mail address; upper and lower case are the same.' })
  email!: string;

  @GivenPasswordParam({ required: true })
  password!: string;
}
