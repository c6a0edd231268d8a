import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { useChangePerson, useRemovePerson, type UserChange } from '../api/people';
import { displayName } from '../person-text';
import { texts } from '../people.texts';
import { texts as setup } from '../setup.texts';
import { ConfirmDialog } from './confirm-dialog';
import { RoleField } from './role-field';

type User = Schema<'UserDto'>;

interface PersonProps {
  user: User;
  /** How many administrators the organisation has. */
  administrators: number;
  onClose: () => void;
}

/** Name, role and state of a person; fixed fields state why. */
export function PersonDialog({ user, administrators, onClose }: PersonProps) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = useRemovePerson(onClose);
  if (isRemoving) {
    return (
      <ConfirmDialog
        title={texts.removeTitle(displayName(user))}
        label={texts.removeNow}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(user)}
        onClose={onClose}
      >
        {user.state === 'invited' ? texts.takeBackText : texts.removeText}
      </ConfirmDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title={texts.changeOf(displayName(user))}>
      <PersonForm user={user} administrators={administrators} onClose={onClose} onRemove={() => setRemoving(true)} />
    </Modal>
  );
}

function PersonForm({ user, administrators, onClose, onRemove }: PersonProps & { onRemove: () => void }) {
  const me = useMe();
  const [name, setName] = useState(user.name);
  const [isAdmin, setAdmin] = useState(user.admin);
  const change = useChangePerson(onClose);
  const isSelf = me.id === user.id;
  const reason = isSelf ? (administrators <= 1 ? texts.onlyAdmin : texts.self) : user.demo ? texts.demoRole : undefined;
  const body: UserChange = {
    ...(name.trim() === user.name ? {} : { name: name.trim() }),
    ...(isAdmin === user.admin ? {} : { admin: isAdmin }),
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (Object.keys(body).length === 0) onClose();
    else change.mutate({ user, body });
  };
  const isDisabled = user.state === 'disabled';
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={texts.name}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          value={name}
          error={change.error instanceof ApiError ? change.error.problemOf('name') : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RoleField isAdmin={isAdmin} onChange={setAdmin} fixed={reason} />
        {change.error && <Failed error={change.error} />}
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            {setup.save}
          </Button>
          <Button variant="default" onClick={onClose}>
            {setup.cancel}
          </Button>
        </Group>
        {!isSelf && (
          <Stack gap={6} mt="xs">
            <hr className="rule" />
            <Act
              label={isDisabled ? texts.enable : texts.disable}
              hint={isDisabled ? texts.enableHint : texts.disableHint}
              onClick={() => change.mutate({ user, body: { state: isDisabled ? 'active' : 'disabled' } })}
            />
            <Act label={texts.remove} hint={texts.removeHint} onClick={onRemove} />
          </Stack>
        )}
      </Stack>
    </form>
  );
}

function Act({ label, hint, onClick }: { label: string; hint: string; onClick: () => void }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Button variant="default" onClick={onClick} flex="none">
        {label}
      </Button>
      <Text size="xs" className="dim">
        {hint}
      </Text>
    </Group>
  );
}
