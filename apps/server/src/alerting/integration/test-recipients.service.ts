import { Injectable } from '@nestjs/common';
import { type AlertChannel, type Destination } from '#libs/alerting';
import { type ErrorDetail } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';
import { UserService } from '../../people/user/user.service.js';
import { type User, USER_STATES } from '../../people/user/user.types.js';
import { serverReference } from '../channel/server-reference.functions.js';
import { IntegrationSettingsService } from './integration-settings.service.js';

/** As many as an organisation may have users. */
const MAX_USERS = 500;

/** The field of a user with the address of a channel. */
const ADDRESS_OF: Partial<Record<AlertChannel, (user: User) => string | null>> = {
  email: ({ email }) => email,
  sms: ({ phoneNumber }) => phoneNumber,
};

/** The recipients of a test message: never anyone outside the organisation. */
@Injectable()
export class TestRecipientsService {
  constructor(
    private readonly users: UserService,
    private readonly settings: IntegrationSettingsService,
  ) {}

  /**
   * @param recipient id of a user, or the address of one; of chat: a channel. Undefined: the caller, or the default channel
   * @throws ValidationFailedError
   */
  async find(caller: KnownCaller, channel: AlertChannel, recipient: string | undefined): Promise<Destination> {
    const addressOf = ADDRESS_OF[channel];
    if (addressOf !== undefined) {
      const user = await this.userOf(caller, addressOf, recipient);
      return { channel, recipient: addressOf(user)!, userId: user.id, mentions: [] };
    }
    return { channel, recipient: await this.placeOf(caller.org.id, channel, recipient), userId: null, mentions: [] };
  }

  private async userOf(
    caller: KnownCaller,
    addressOf: (user: User) => string | null,
    recipient: string | undefined,
  ): Promise<User> {
    const own = caller.kind === 'user' ? String(caller.userId) : undefined;
    const wanted = recipient ?? own;
    if (wanted === undefined) throw refused('required', 'recipient is required: a token has no address to write to');
    const user = /^\d{1,10}$/.test(wanted)
      ? await this.byId(caller.org.id, Number(wanted))
      : await this.byAddress(caller.org.id, addressOf, wanted);
    if (user === undefined)
      throw refused('unknown_user', 'recipient must be a user of the organisation, or the address of one');
    if ((addressOf(user) ?? '') === '')
      throw refused('user_lacks_phone', `recipient: user ${String(user.id)} has no phone number`);
    return user;
  }

  private async byId(orgId: number, id: number): Promise<User | undefined> {
    return id > MAX_ROW_ID ? undefined : (await this.users.findByIds(orgId, [id]))[0];
  }

  private async byAddress(
    orgId: number,
    addressOf: (user: User) => string | null,
    address: string,
  ): Promise<User | undefined> {
    const [users] = await this.users.list(orgId, USER_STATES, { limit: MAX_USERS, offset: 0 });
    return users.find((user) => addressOf(user)?.toLowerCase() === address.toLowerCase());
  }

  private async placeOf(orgId: number, channel: AlertChannel, recipient: string | undefined): Promise<string> {
    if (channel === 'teams_chat') {
      const settings = await this.settings.of(orgId, 'teams_chat');
      return settings === null ? '' : serverReference(settings.teams_chat_webhook);
    }
    if (channel !== 'chat') return '';
    const place = recipient ?? (await this.settings.of(orgId, 'chat'))?.default_chat_channel ?? '';
    if (place === '') throw refused('required', 'recipient is required: there is no default channel');
    return place;
  }
}

const refused = (code: ErrorDetail['code'], message: string): ValidationFailedError =>
  new ValidationFailedError([{ field: 'recipient', code, message }]);
