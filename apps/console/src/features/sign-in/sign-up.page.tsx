import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localZone } from '../../lib/time';
import { signUp } from './api/login';
import { EmailField } from './parts/fields';
import { FormFailure, FormStack, Frame, ToSignIn } from './parts/frame';
import { checkEmail, missing, useSignInForm } from './parts/sign-in-form';
import { words } from './sign-in.words';

const PLACES = { email_taken: 'email' };
const TEXTS = { email_taken: words.emailTaken };
const MAX_SHOWN = 50;

/** A new organisation and its first administrator. */
export function SignUpPage() {
  const [done, setDone] = useState<{ email: string; isMailed: boolean } | null>(null);
  const [zones] = useState(() => [...new Set([localZone(), 'Etc/UTC', ...Intl.supportedValuesOf('timeZone')])]);
  const form = useSignInForm({
    check: (values) => ({ ...missing(values, 'org_name', 'user_name', 'timezone'), ...checkEmail(values) }),
    send: (values) =>
      signUp({
        email: values.email!.trim(),
        user_name: values.user_name!.trim(),
        org_name: values.org_name!.trim(),
        timezone: values.timezone!,
      }),
    onDone: (answer, values) => setDone({ email: values.email!.trim(), isMailed: answer.verification_sent }),
    places: PLACES,
    texts: TEXTS,
  });
  if (done) {
    return (
      <Frame title={words.signUpDoneTitle} text={done.isMailed ? words.signUpMailed(done.email) : words.signUpNoMail} />
    );
  }
  return (
    <Frame title={words.signUpTitle}>
      <form onSubmit={form.onSubmit} noValidate>
        <FormStack>
          <TextInput
            name="org_name"
            label={words.orgName}
            autoComplete="organization"
            maxLength={100}
            error={form.problems.org_name}
            autoFocus
          />
          <TextInput
            name="user_name"
            label={words.userName}
            autoComplete="name"
            maxLength={100}
            error={form.problems.user_name}
          />
          <EmailField problems={form.problems} />
          <Select
            name="timezone"
            label={words.timezone}
            description={words.timezoneHint}
            data={zones}
            defaultValue={localZone()}
            searchable
            allowDeselect={false}
            limit={MAX_SHOWN}
            error={form.problems.timezone}
          />
          <FormFailure error={form.failure} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {words.signUpButton}
          </Button>
          <Group gap={6}>
            <Text size="sm" className="dim">
              {words.haveAccount}
            </Text>
            <ToSignIn label={words.signIn} />
          </Group>
        </FormStack>
      </form>
    </Frame>
  );
}
