import { PHONE_NUMBER } from '../../../people/user/contact-fields.types.js';
import { defineChannelService } from '../define-service.js';
import { ofKind, requiredSecret, requiredText, urlOr } from '../service-fields.js';

export const SMS = defineChannelService({
  id: 'sms',
  name: 'SMS',
  provider: 'Twilio-compatible',
  description: 'Alerts as text messages to phones.',
  orgFields: {
    api_base_url: urlOr(
      { label: 'API address', help: 'Change it for another provider with the same interface.' },
      'https://api.twilio.com',
    ),
    account_sid: requiredText(
      { label: 'Account SID', help: 'From the console of the provider.' },
      { max: 100, pattern: /^\w+$/, says: 'must contain only letters, digits and _' },
    ),
    auth_token: requiredSecret({ label: 'Auth token', help: 'From the console of the provider.' }),
    from_number: requiredText(
      {
        label: 'Sender',
        help: 'A number of your account such as +15005550006, or a sender name of up to 11 characters.',
      },
      {
        max: 16,
        pattern: /^(?:\+[1-9]\d{4,14}|[A-Za-z0-9 ]{1,11})$/,
        says: 'must look like +4799999999, or be a name of up to 11 letters and digits',
      },
    ),
  },
  userFields: {
    phone_number: ofKind(
      { label: 'Telephone number', help: 'With the country code, such as +4799999999.' },
      PHONE_NUMBER,
    ),
  },
  guide: () => ({
    instructions: [
      '1. Buy or verify a number at the provider that may send SMS to the countries of your people.',
      '2. Enter the account SID, the auth token and that number here.',
      '3. People enter their telephone number in their own settings.',
    ].join('\n'),
    snippets: [],
  }),
});
