import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localZone } from '../../lib/time';
import { signUp } from './api/login';
import { EmailField } from './parts/fields';
import { FormFailure, FormStack, Frame, ToSignIn } from './parts/frame';
import { checkEmail, missing, useSignInForm } from './parts/sign-in-form';
import { texts } from './sign-in.texts';

const PLACES = { email_taken: 'email' };
const TEXTS = { email_taken: texts.emailTaken };
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
    errorTexts: TEXTS,
  });
  if (done) {
    return (
      <Frame title={texts.signUpDoneTitle} text={done.isMailed ? texts.signUpMailed(done.email) : texts.signUpNoMail} />
    );
  }
  return (
    <Frame title={texts.signUpTitle}>
      <form onSubmit={form.onSubmit} noValidate>
        <FormStack>
          <TextInput
            name="org_name"
            label={texts.orgName}
            autoComplete="organization"
            maxLength={100}
            error={form.problems.org_name}
            autoFocus
          />
          <TextInput
            name="user_name"
            label={texts.userName}
            autoComplete="name"
            maxLength={100}
            error={form.problems.user_name}
          />
          <EmailField problems={form.problems} />
          <Select
            name="timezone"
            label={texts.timezone}
            description={texts.timezoneHint}
            data={zones}
            defaultValue={localZone()}
            searchable
            allowDeselect={false}
            limit={MAX_SHOWN}
            error={form.problems.timezone}
          />
          <FormFailure error={form.failure} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.signUpButton}
          </Button>
          <Group gap={6}>
            <Text size="sm" className="dim">
              {texts.haveAccount}
            </Text>
            <ToSignIn label={texts.signIn} />
          </Group>
        </FormStack>
      </form>
    </Frame>
  );
}
