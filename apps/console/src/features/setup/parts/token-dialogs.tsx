import { Button, Group, Modal, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { useNow } from '../../../lib/now';
import { agoText } from '../../../lib/time';
import { useZone } from '../../../lib/zone';
import { useChangeToken, useDeleteToken } from '../api/tokens';
import { texts as setup } from '../setup.texts';
import { bodyOf, draftOfToken, lackOf, permissionsOf } from '../token-form';
import { texts } from '../tokens.texts';
import { ConfirmDialog } from './confirm-dialog';
import { TokenFields } from './token-fields';

interface DialogProps {
  token: Schema<'TokenDto'>;
  onClose: () => void;
}

/** Edits name, expiry and permissions of a token; permissions can only be removed. */
export function ChangeTokenDialog({ token, onClose }: DialogProps) {
  return (
    <Modal opened onClose={onClose} title={texts.changeOf(isolated(token.name))}>
      <ChangeForm token={token} onClose={onClose} />
    </Modal>
  );
}

function ChangeForm({ token, onClose }: DialogProps) {
  const now = useNow();
  const zone = useZone();
  const [draft, setDraft] = useState(() => draftOfToken(token, now, zone));
  const [isTried, setTried] = useState(false);
  const change = useChangeToken(onClose);
  const lack = lackOf(draft, now, zone);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(lack).length === 0) change.mutate({ ref: token.ref, body: bodyOf(draft, now, zone) });
  };
  const hasPlace =
    change.error instanceof ApiError && change.error.problems.some(({ field }) => (field ?? '') in FIELDS);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TokenFields
          draft={draft}
          lack={isTried ? lack : {}}
          error={change.error}
          token={{ permissions: permissionsOf(token), validUntil: token.valid_until }}
          onChange={(part) => setDraft((current) => ({ ...current, ...part }))}
        />
        {change.error && !hasPlace && <Failed error={change.error} />}
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            {setup.save}
          </Button>
          <Button variant="default" onClick={onClose}>
            {setup.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const FIELDS = { name: true, permissions: true, valid_until: true };

/** Asks for confirmation before a token is deleted, and shows when it was last used. */
export function DeleteTokenDialog({ token, onClose }: DialogProps) {
  const now = useNow();
  const remove = useDeleteToken(onClose);
  const { name, last_used_timestamp: used } = token;
  return (
    <ConfirmDialog
      title={texts.deleteTitle(isolated(name))}
      label={texts.delete}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(token)}
      onClose={onClose}
    >
      {texts.deleteText} {used === null ? texts.deleteUnused : texts.deleteUsed(agoText(used, now))}
    </ConfirmDialog>
  );
}
