import { type Schema } from '../../lib/api';
import { changedLists, idsOf, RECIPIENT_LISTS, channelOf } from './default-recipients';

const users = (...ids: number[]) => ids.map((id) => ({ id })) as Schema<'UserDto'>[];

describe('the default recipients', () => {
  const before = idsOf({
    email: users(1, 2),
    sms: [],
    chat_mentions: users(2),
    admin_email: users(1),
    admin_sms: [],
  });

  it('are lists of user ids', () => {
    expect(before).toEqual({
      email_users: [1, 2],
      sms_users: [],
      chat_mention_users: [2],
      admin_email_users: [1],
      admin_sms_users: [],
    });
  });

  it('are sent only for changed lists, including emptied lists', () => {
    expect(changedLists(before, before)).toEqual({});
    expect(changedLists(before, { ...before, email_users: [2], chat_mention_users: [] })).toEqual({
      email_users: [2],
      chat_mention_users: [],
    });
  });

  it('are reached by mail, text message or chat', () => {
    expect(RECIPIENT_LISTS.map(channelOf)).toEqual(['email', 'sms', 'chat', 'email', 'sms']);
  });
});
