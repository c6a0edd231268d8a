import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { CopyLines } from '../../../components/lines/copy-lines';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { isEmail } from '../../../lib/email';
import { isolated } from '../../../lib/isolated';
import { useInvite } from '../api/people';
import { texts } from '../people.texts';
import { texts as setup } from '../setup.texts';
import { RoleField } from './role-field';

const LONGEST_EMAIL = 254;
const LONGEST_NAME = 100;
const EMPTY = { email: '', name: '', admin: false };

/** A form to invite a person; then the outcome of the invitation. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  return (
    <Modal opened onClose={onClose} title={invite.data ? texts.invitedTitle : texts.invite}>
      {invite.data ? (
        <Sent invitation={invite.data} onClose={onClose} />
      ) : (
        <InviteForm invite={invite} onClose={onClose} />
      )}
    </Modal>
  );
}

/** The outcome of an invitation that was sent again. */
export function ResentDialog({ invitation, onClose }: { invitation: Schema<'InvitedUserDto'>; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={texts.invitedTitle}>
      <Sent invitation={invitation} onClose={onClose} />
    </Modal>
  );
}

function InviteForm({ invite, onClose }: { invite: ReturnType<typeof useInvite>; onClose: () => void }) {
  const [draft, setDraft] = useDraft('invite', EMPTY);
  const [isTried, setTried] = useState(false);
  const email = draft.email.trim();
  const isSound = isEmail(email);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isSound) invite.mutate({ ...draft, email, name: draft.name.trim() });
  };
  const problemOf = (field: string): string | undefined =>
    invite.error instanceof ApiError ? invite.error.problemOf(field) : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm" className="dim">
          {texts.inviteText}
        </Text>
        <TextInput
          type="email"
          label={texts.email}
          maxLength={LONGEST_EMAIL}
          autoComplete="off"
          data-autofocus
          value={draft.email}
          error={isTried && !isSound ? texts.badEmail : problemOf('email')}
          onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, email: value }))}
        />
        <TextInput
          label={texts.name}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          value={draft.name}
          error={problemOf('name')}
          onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, name: value }))}
        />
        <RoleField isAdmin={draft.admin} onChange={(admin) => setDraft((current) => ({ ...current, admin }))} />
        {invite.error && <Failed error={invite.error} />}
        <Group gap="sm">
          <Button type="submit" loading={invite.isPending}>
            {texts.send}
          </Button>
          <Button variant="default" onClick={onClose}>
            {setup.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Sent({
  invitation: { user, invite_sent: isSent, invite_url: url },
  onClose,
}: {
  invitation: Schema<'InvitedUserDto'>;
  onClose: () => void;
}) {
  const email = isolated(user.email);
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {isSent ? texts.invited(email) : texts.linkByHand(email)}
      </Text>
      {url !== null && <CopyLines title={texts.link} text={url} label={texts.link} />}
      <Group>
        <Button variant="default" data-autofocus onClick={onClose}>
          {texts.close}
        </Button>
      </Group>
    </Stack>
  );
}
