import { MAX_ROW_ID, type ParamKind } from '../../common/validation/param-kind.js';
import { EMAIL_KIND, intKind, ListParam } from '../../common/validation/param.decorators.js';
import { type UserRef } from './user.types.js';

/** Maximum number of users of an organisation. */
const MAX_USERS = 500;
const ID = intKind({ min: 1, max: MAX_ROW_ID });

const USER_REF: ParamKind<UserRef> = {
  schema: () => ({ anyOf: [EMAIL_KIND.schema(), ID.schema()] }),
  convert: (raw, context) => {
    const isId = typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw));
    return (isId ? ID : EMAIL_KIND).convert(raw, context);
  },
};

/** Users by address, which is valid in every installation, or by id. */
export const UserRefsParam = (description: string): PropertyDecorator =>
  ListParam(USER_REF, { maxItems: MAX_USERS, description });
