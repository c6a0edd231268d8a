import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmEmail } from './api/login';
import { linkSecrets } from './link-secrets';
import { CutLink, FormFailure, Frame } from './parts/frame';
import { useEnter } from './parts/use-enter';
import { texts } from './sign-in.texts';

const TEXTS = { expired: texts.expiredLink, verification_failed: texts.expiredLink };

/** The page that the mail for a changed address links to. */
export function ConfirmEmailPage() {
  const [{ token }] = useState(linkSecrets);
  const enter = useEnter();
  const confirmation = useMutation({ mutationFn: confirmEmail });
  if (token === undefined) return <CutLink />;
  if (confirmation.data) {
    return (
      <Frame title={texts.confirmDoneTitle} text={texts.confirmDone(confirmation.data.user.email)}>
        <Button size="sm" fullWidth onClick={() => enter('/')} autoFocus>
          {texts.goOn}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={texts.confirmTitle} text={texts.confirmText}>
      <Stack gap="sm">
        <FormFailure error={confirmation.error} errorTexts={TEXTS} />
        <Button size="sm" loading={confirmation.isPending} onClick={() => confirmation.mutate(token)} autoFocus>
          {texts.confirmButton}
        </Button>
      </Stack>
    </Frame>
  );
}
