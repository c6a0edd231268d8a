import { invitationMail, nameInMail } from './account-mails.js';

describe('nameInMail', () => {
  it.each(['Example Ltd', 'Ann', 'J. R. Smith', 'Łódź Metrics', 'R2-D2 no. 5', '日本 株式会社', 'Version 1.2'])(
    'keeps %s',
    (name) => expect(nameInMail(name)).toBe(name),
  );

  it.each([
    '',
    'https://evil.example',
    'win at evil.example now',
    'evil.example/prize',
    'www.evil',
    'ann@example.org',
    'ann＠example',
    'evil。example',
    'evil．example',
    'e\u200bvil.\u200bexample',
    'ftp://x',
  ])('returns null for %j', (name) => expect(nameInMail(name)).toBeNull());
});

it('an invitation omits names that look like an address from all its parts', () => {
  const mail = invitationMail({
    orgName: 'Claim your prize: https://evil.example',
    inviter: 'bank@evil.example',
    email: 'ann@example.org',
    token: 'abc',
    url: 'https://plumbline.example.org/verify',
  });
  expect(JSON.stringify(mail)).not.toContain('evil');
  expect(mail.subject).toBe('Invitation to Plumbline');
  expect(mail.content.paragraphs[0]).toBe(
    'An administrator invites you to an organisation that watches its metrics with Plumbline.',
  );
});
