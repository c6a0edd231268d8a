import { type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { texts } from './people.texts';

type User = Schema<'UserDto'>;

/** A person in a sentence: the name, otherwise the address. */
export const displayName = ({ name, email }: Pick<User, 'name' | 'email'>): string =>
  name === '' && email === '' ? texts.noName : isolated(name || email);

export const roleText = ({ admin, demo }: Pick<User, 'admin' | 'demo'>): string =>
  demo ? texts.roles.demo : admin ? texts.roles.admin : texts.roles.user;
