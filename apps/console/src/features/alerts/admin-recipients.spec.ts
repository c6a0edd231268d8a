import { type Schema } from '../../lib/api';
import { areSound, bodyOf, choicesOf, draftOf } from './admin-recipients';

const user = (id: number, over: object = {}) =>
  ({
    id,
    name: '',
    email: `u${String(id)}@example.org`,
    state: 'active',
    demo: false,
    phone_number: '',
    ...over,
  }) as unknown as Schema<'UserDto'>;

describe('the recipients of an admin alert', () => {
  const alerts = [
    { method: 'email' as const, ref: '7', user: user(7) },
    { method: 'sms' as const, ref: '8', user: user(8) },
    { method: 'chat' as const, ref: '#ops', user: null },
  ];

  const times = { wait_seconds: 300, expiration_seconds: 3600 };

  it('start with the configured recipients', () => {
    expect(draftOf({ named: true, alerts, ...times })).toEqual({
      email: [7],
      sms: [8],
      chat: '#ops',
      wait: 5,
      expiration: 60,
    });
  });

  it('start empty when the defaults apply, so that saving does not store the defaults', () => {
    expect(draftOf({ named: false, alerts, ...times })).toMatchObject({ email: [], sms: [], chat: '' });
  });

  it('are sent completely, with the channel name trimmed', () => {
    expect(bodyOf(4, { email: [7], sms: [], chat: ' #ops ', wait: '10', expiration: 60 })).toEqual({
      admin_alerts: [
        { id: 4, email_users: [7], sms_users: [], chat_channel: '#ops', wait_seconds: 600, expiration_seconds: 3600 },
      ],
    });
  });

  it.each([
    [5, 60, true],
    ['', 60, false],
    [4, 60, false],
    [5, 10_081, false],
    [5.5, 60, false],
  ])('are valid only with times within bounds: %p, %p', (wait, expiration, isSound) => {
    expect(areSound({ wait, expiration })).toBe(isSound);
  });

  it('are offered among active users, and for text messages among users with a phone number', () => {
    const users = [
      user(7, { name: 'Ann' }),
      user(8, { phone_number: '+4799999999' }),
      user(9, { state: 'disabled' }),
      user(10, { demo: true }),
    ];
    expect(choicesOf(users, 'email', [])).toEqual([
      { value: '7', label: 'Ann' },
      { value: '8', label: 'u8@example.org' },
    ]);
    expect(choicesOf(users, 'sms', [])).toEqual([{ value: '8', label: 'u8@example.org' }]);
    // A configured recipient stays in the list, so that it can be removed.
    expect(choicesOf(users, 'sms', [9]).map(({ value }) => value)).toEqual(['8', '9']);
  });
});
