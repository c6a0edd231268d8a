import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { useCreateSource } from './api/sources';
import { AskAdmins } from '../../components/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { SourceForm } from './parts/source-form';
import { texts } from './sources.texts';

/** A form for a source; its query can be tested before it is saved. */
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
          {texts.back}
        </Anchor>
        <Title order={2}>{texts.newTitle}</Title>
        {isAdmin ? (
          <SourceForm source={null} save={create} label={texts.create} />
        ) : (
          <Text size="sm">
            <AskAdmins why={texts.onlyAdmins} />
          </Text>
        )}
      </Stack>
    </SetupTabs>
  );
}
