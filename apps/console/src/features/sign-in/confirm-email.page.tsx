import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmEmail } from './api/login';
import { linkSecrets } from './link-secrets';
import { CutLink, FormFailure, Frame } from './parts/frame';
import { useEnter } from './parts/use-enter';
import { words } from './sign-in.words';

const TEXTS = { expired: words.expiredLink, verification_failed: words.expiredLink };

/** Where the mail for a changed address leads. */
export function ConfirmEmailPage() {
  const [{ token }] = useState(linkSecrets);
  const enter = useEnter();
  const confirmation = useMutation({ mutationFn: confirmEmail });
  if (token === undefined) return <CutLink />;
  if (confirmation.data) {
    return (
      <Frame title={words.confirmDoneTitle} text={words.confirmDone(confirmation.data.user.email)}>
        <Button size="sm" fullWidth onClick={() => enter('/')} autoFocus>
          {words.goOn}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={words.confirmTitle} text={words.confirmText}>
      <Stack gap="sm">
        <FormFailure error={confirmation.error} texts={TEXTS} />
        <Button size="sm" loading={confirmation.isPending} onClick={() => confirmation.mutate(token)} autoFocus>
          {words.confirmButton}
        </Button>
      </Stack>
    </Frame>
  );
}
