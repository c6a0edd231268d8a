import { Button, Group, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { orgInfoQuery } from '../../../lib/org-info';
import { removeOwnAccount } from '../api/account';
import { words } from '../account.words';
import { ConfirmDialog } from './confirm-dialog';
import { Section } from './section';

/** The way out for good. The only administrator finds why there is none. */
export function RemoveAccountPart() {
  const me = useMe();
  const info = useQuery(orgInfoQuery);
  const [isOpen, setOpen] = useState(false);
  const isOnlyAdmin = me.admin && info.data?.admin_users.length === 1;
  return (
    <Section title={words.leave} text={isOnlyAdmin ? words.onlyAdmin : words.leaveText}>
      <Group>
        <Button variant="default" disabled={isOnlyAdmin} onClick={() => setOpen(true)}>
          {words.leaveButton}
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
      title={words.leaveTitle}
      label={words.leaveNow}
      isPending={act.isPending}
      isDisabled={password === ''}
      error={isWrong ? null : act.error}
      onConfirm={() => act.mutate(password)}
      onClose={onClose}
    >
      {words.leaveConfirm}
      <PasswordInput
        mt="sm"
        label={words.leavePassword}
        autoComplete="current-password"
        maxLength={200}
        value={password}
        error={isWrong ? words.oldWrong : undefined}
        visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
