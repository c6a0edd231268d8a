import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { AskAdmins } from '../../components/ask-admins';
import { DeleteOrgPart } from './parts/delete-org-part';
import { ErasePart } from './parts/erase-part';
import { SetupTabs } from './parts/setup-tabs';
import { texts } from './removal.texts';

/** Permanent deletions, with a count before each. */
export function RemovalPage() {
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="removal">
      {isAdmin ? (
        <Stack gap="xl" maw={860}>
          <Text size="sm" className="dim">
            {texts.intro}{' '}
            <Anchor component={Link} to="/setup/organisation" search={keepView as never} size="sm">
              {texts.quota}
            </Anchor>
            .
          </Text>
          <ErasePart />
          <DeleteOrgPart />
        </Stack>
      ) : (
        <Text size="sm">
          <AskAdmins why={texts.onlyAdmins} />
        </Text>
      )}
    </SetupTabs>
  );
}
