import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { isEmail } from '../../../lib/email';
import { useMe } from '../../../lib/me';
import { type AccountChange, useChangeAccount } from '../api/account';
import { texts } from '../account.texts';
import { texts as setup } from '../setup.texts';
import { Section } from './section';

/** Name and address; changing the address requires the password. */
export function ProfileForm() {
  const me = useMe();
  const [draft, setDraft] = useDraft('profile', { name: me.name, email: me.email });
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const save = useChangeAccount((pending) => {
    setPassword('');
    setTried(false);
    // The old address applies until the new one is confirmed.
    if (pending !== null) setDraft((current) => ({ ...current, email: me.email }));
    return pending === null ? texts.savedProfile : texts.pending(pending);
  });
  const email = draft.email.trim();
  const isOther = email !== me.email;
  const body: AccountChange = {
    ...(draft.name.trim() === me.name ? {} : { name: draft.name.trim() }),
    ...(isOther ? { email, password } : {}),
  };
  const isValid = isEmail(email) && (!isOther || password !== '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isValid && Object.keys(body).length > 0) save.mutate(body);
  };
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  return (
    <Section title={texts.profile} text={me.admin ? texts.roleAdmin : texts.roleUser}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          <TextInput
            label={texts.name}
            autoComplete="name"
            maxLength={100}
            value={draft.name}
            error={problemOf('name')}
            onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, name: value }))}
          />
          <TextInput
            type="email"
            label={texts.email}
            description={texts.emailHint}
            autoComplete="username"
            maxLength={254}
            value={draft.email}
            error={isTried && !isEmail(email) ? texts.badEmail : problemOf('email')}
            onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, email: value }))}
          />
          {isOther && (
            <PasswordInput
              label={texts.emailPassword}
              autoComplete="current-password"
              maxLength={200}
              value={password}
              error={isTried && password === '' ? texts.needsPassword : problemOf('password')}
              visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {save.error && <Failed error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {setup.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
