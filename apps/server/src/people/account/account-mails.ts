import { type MailContent } from '../../platform/mail/mail.types.js';

/** Endings that make a word look like a host name: a dot and at least two letters. */
const HOST = /[\p{L}\p{N}-]\.\p{L}{2,}/u;
/** Characters that browsers treat as a dot in a host name. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const ADDRESS_SIGNS = /@|:\/\/|\\\\|^www\.|\swww\./i;

interface LinkMail {
  subject: string;
  content: MailContent;
}

const UNEXPECTED = 'If you did not expect this mail, ignore it: nothing happens without the link.';

/** `inviter` may be empty. Anyone who has an organisation can have this mail sent to any address: see `nameInMail`. */
export function invitationMail(invitation: {
  orgName: string;
  inviter: string;
  email: string;
  token: string;
  url: string;
}): LinkMail {
  const { email, token, url } = invitation;
  const org = nameInMail(invitation.orgName);
  const inviter = nameInMail(invitation.inviter) ?? 'An administrator';
  return {
    subject: `Invitation to ${org ?? 'Plumbline'}`,
    content: {
      heading: org === null ? 'Join your colleagues on Plumbline' : `Join ${org} on Plumbline`,
      paragraphs: [
        org === null
          ? `${inviter} invites you to an organisation that watches its metrics with Plumbline.`
          : `${inviter} invites you to ${org}, which watches its metrics with Plumbline.`,
        'Choose a password to join. The link is valid once, for 7 days.',
      ],
      button: { label: 'Choose a password', url },
      facts: [
        ['E-mail', email],
        ['Token', token],
      ],
      notes: [UNEXPECTED],
    },
  };
}

export function confirmEmailMail({ token, url }: { token: string; url: string }): LinkMail {
  return {
    subject: 'Confirm your new e-mail address',
    content: {
      heading: 'Confirm your new e-mail address',
      paragraphs: [
        'This address was entered as the new login of a Plumbline account.',
        'It is used from the moment you confirm it. The link is valid once, for 24 hours.',
      ],
      button: { label: 'Confirm the address', url },
      facts: [['Token', token]],
      notes: [UNEXPECTED],
    },
  };
}

/** Sent to the address that is to be replaced. */
export function emailChangeNotice(): LinkMail {
  return {
    subject: 'Your e-mail address is about to change',
    content: {
      heading: 'Your e-mail address is about to change',
      paragraphs: [
        'Someone who knows your password has entered another e-mail address for your Plumbline account. It replaces this one once it is confirmed.',
      ],
      notes: ['If it was not you, change your password now and notify an administrator of your organisation.'],
    },
  };
}

/**
 * A name that a person has chosen, for a mail to another person: null if it looks like an e-mail or web address. Mail
 * programs turn those into links, and the mail would carry a stranger's message under the name of this service.
 */
export function nameInMail(name: string): string | null {
  const plain = name
    .normalize('NFKC')
    .replace(OTHER_DOTS, '.')
    .replace(/\p{Cf}/gu, '')
    .trim();
  if (plain === '' || ADDRESS_SIGNS.test(plain) || HOST.test(plain)) return null;
  return name;
}
