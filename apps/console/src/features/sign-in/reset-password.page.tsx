import { Button } from '@mantine/core';
import { useState } from 'react';
import { resetPassword } from './api/login';
import { linkSecrets } from './link-secrets';
import { PasswordField } from './parts/fields';
import { CutLink, FormFailure, FormStack, Frame, ToSignIn } from './parts/frame';
import { checkNewPassword, useSignInForm } from './parts/sign-in-form';
import { texts } from './sign-in.texts';

const NAMES = { new_password_1: 'password', new_password_2: 'password' };
const TEXTS = { expired: texts.expiredLink };

/** The page that the mail for a forgotten password links to. */
export function ResetPasswordPage() {
  const [{ token }] = useState(linkSecrets);
  const [isDone, setDone] = useState(false);
  const form = useSignInForm({
    check: checkNewPassword,
    send: (values) => resetPassword(token ?? '', values.password!),
    onDone: () => setDone(true),
    names: NAMES,
  });
  if (isDone) {
    return (
      <Frame title={texts.resetDoneTitle}>
        <ToSignIn label={texts.signIn} />
      </Frame>
    );
  }
  if (token === undefined) return <CutLink />;
  return (
    <Frame title={texts.resetTitle} text={texts.resetText}>
      <form onSubmit={form.onSubmit} noValidate>
        <FormStack>
          <PasswordField problems={form.problems} isNew autoFocus />
          <FormFailure error={form.failure} errorTexts={TEXTS} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.resetButton}
          </Button>
          <ToSignIn />
        </FormStack>
      </form>
    </Frame>
  );
}
