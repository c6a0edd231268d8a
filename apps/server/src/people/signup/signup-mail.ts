import { type MailContent } from '../../platform/mail/mail.types.js';

/**
 * Contains no text from the sign-up: any visitor can have this mail sent to any address.
 */
export function verificationMail(token: string, url: string): { subject: string; content: MailContent } {
  return {
    subject: 'Confirm your e-mail address',
    content: {
      heading: 'Welcome to Plumbline',
      paragraphs: [
        'This address was used to sign up.',
        'Choose a password to begin. The link is valid once, for 48 hours.',
      ],
      button: { label: 'Choose a password', url },
      facts: [['Token', token]],
      notes: ['If it was not you, ignore this mail: without the link the sign-up is forgotten.'],
    },
  };
}
