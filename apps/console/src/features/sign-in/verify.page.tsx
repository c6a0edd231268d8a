import { Button } from '@mantine/core';
import { useState } from 'react';
import { verify } from './api/login';
import { linkSecrets } from './link-secrets';
import { EmailField, PasswordField } from './parts/fields';
import { CutLink, FormFailure, FormStack, Frame, ToSignIn } from './parts/frame';
import { checkEmail, checkNewPassword, useSignInForm } from './parts/sign-in-form';
import { useEnter } from './parts/use-enter';
import { texts } from './sign-in.texts';

const NAMES = { password_1: 'password', password_2: 'password' };
const TEXTS = { expired: texts.expiredLink };
const NOTHING_RECEIVED = 1;

/** The page that the mail of a sign-up or an invitation links to: the first password. */
export function VerifyPage() {
  const [{ email, token }] = useState(linkSecrets);
  const enter = useEnter();
  const form = useSignInForm({
    check: (values) => ({ ...checkEmail(values), ...checkNewPassword(values) }),
    send: (values) => verify(values.email!.trim(), token ?? '', values.password!),
    onDone: ({ session }) => enter(session.user.org.onboarding_status_id === NOTHING_RECEIVED ? '/start' : '/'),
    names: NAMES,
  });
  if (token === undefined) return <CutLink />;
  return (
    <Frame title={texts.verifyTitle} text={texts.verifyText}>
      <form onSubmit={form.onSubmit} noValidate>
        <FormStack>
          <EmailField problems={form.problems} value={email} isGiven={email !== undefined} />
          <PasswordField problems={form.problems} isNew autoFocus />
          <FormFailure error={form.failure} errorTexts={TEXTS} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.verifyButton}
          </Button>
          <ToSignIn />
        </FormStack>
      </form>
    </Frame>
  );
}
