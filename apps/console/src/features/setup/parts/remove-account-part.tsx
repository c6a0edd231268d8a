import { Button, Group, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { orgInfoQuery } from '../../../lib/org-info';
import { removeOwnAccount } from '../api/account';
import { texts } from '../account.texts';
import { ConfirmDialog } from './confirm-dialog';
import { Section } from './section';

/** Permanently removes the user's own account. For the only administrator, states why this is not possible. */
export function RemoveAccountPart() {
  const me = useMe();
  const info = useQuery(orgInfoQuery);
  const [isOpen, setOpen] = useState(false);
  const isOnlyAdmin = me.admin && info.data?.admin_users.length === 1;
  return (
    <Section title={texts.leave} text={isOnlyAdmin ? texts.onlyAdmin : texts.leaveText}>
      <Group>
        <Button variant="default" disabled={isOnlyAdmin} onClick={() => setOpen(true)}>
          {texts.leaveButton}
        </Button>
      </Group>
      {isOpen && <RemoveAccountDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function RemoveAccountDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const act = useMutation({ mutationFn: removeOwnAccount });
  const isWrong = act.error instanceof ApiError && act.error.code === 'login_failed';
  return (
    <ConfirmDialog
      title={texts.leaveTitle}
      label={texts.leaveNow}
      isPending={act.isPending}
      isDisabled={password === ''}
      error={isWrong ? null : act.error}
      onConfirm={() => act.mutate(password)}
      onClose={onClose}
    >
      {texts.leaveConfirm}
      <PasswordInput
        mt="sm"
        label={texts.leavePassword}
        autoComplete="current-password"
        maxLength={200}
        value={password}
        error={isWrong ? texts.oldWrong : undefined}
        visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
