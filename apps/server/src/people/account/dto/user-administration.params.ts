import { PageParams } from '../../../common/paging/page.params.js';
import {
  BoolParam,
  EmailParam,
  EnumParam,
  enumKind,
  ListParam,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { USER_STATES, type UserState } from '../../user/user.types.js';

export class ListUsersParams extends PageParams {
  @ListParam(enumKind(USER_STATES), { description: 'Users in one of these states; default all.' })
  state?: readonly UserState[];
}

export class InviteUserParams {
  @EmailParam({ required: true, description: 'Where the invitation goes; later the login.' })
  email!: string;

  @StrParam({ min: 0, max: 100, default: '' })
  name!: string;

  @BoolParam({ default: false, description: 'May change settings, users and tokens.' })
  admin!: boolean;
}

export class ChangeUserParams {
  @StrParam({ min: 0, max: 100 })
  name?: string;

  @BoolParam()
  admin?: boolean;

  @EnumParam(['active', 'disabled'], {
    description:
      'A disabled user cannot log in, and is logged out immediately. A user who never joined is `invited` again.',
  })
  state?: 'active' | 'disabled';

  @BoolParam({ description: 'Sends an invited user a new link; older links become invalid.' })
  resend_invite?: boolean;
}
