import { Stack, Text } from '@mantine/core';
import { useMe } from '../../lib/me';
import { texts } from './account.texts';
import { RemoveAccountPart } from './parts/remove-account-part';
import { PasswordForm } from './parts/password-form';
import { ProfileForm } from './parts/profile-form';
import { SessionsPart } from './parts/sessions-part';
import { SetupTabs } from './parts/setup-tabs';
import { ContactForm } from './parts/contact-form';

/** A user's settings of their own account. */
export function AccountPage() {
  const { demo: isDemo } = useMe();
  return (
    <SetupTabs tab="account">
      {isDemo ? (
        <Text size="sm">{texts.demo}</Text>
      ) : (
        <Stack gap="xl" maw={860}>
          <ProfileForm />
          <ContactForm />
          <PasswordForm />
          <SessionsPart />
          <RemoveAccountPart />
        </Stack>
      )}
    </SetupTabs>
  );
}
