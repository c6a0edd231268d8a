import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { useCreateSource } from './api/sources';
import { AskAdmins } from './parts/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { SourceForm } from './parts/source-form';
import { words } from './sources.words';

/** A form for a source; what its query finds can be tried before it is kept. */
export function NewSourcePage() {
  const { admin: isAdmin } = useMe();
  const navigate = useNavigate();
  const create = useCreateSource(({ id }) => {
    void navigate({ to: `/setup/sources/${String(id)}`, search: keepView } as never);
  });
  return (
    <SetupTabs tab="sources">
      <Stack gap="sm" maw={860}>
        <Anchor component={Link} to="/setup/sources" search={keepView as never} size="sm">
          {words.back}
        </Anchor>
        <Title order={2}>{words.newTitle}</Title>
        {isAdmin ? (
          <SourceForm source={null} save={create} label={words.create} />
        ) : (
          <Text size="sm">
            <AskAdmins why={words.onlyAdmins} />
          </Text>
        )}
      </Stack>
    </SetupTabs>
  );
}
