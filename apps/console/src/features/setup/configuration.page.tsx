import { Stack, Text } from '@mantine/core';
import { useMe } from '../../lib/me';
import { texts } from './configuration.texts';
import { ApplyPart } from './parts/apply-part';
import { AskAdmins } from '../../components/ask-admins';
import { ExportPart } from './parts/export-part';
import { SetupTabs } from './parts/setup-tabs';

/** The configuration as a document: export and import. */
export function ConfigurationPage() {
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="configuration">
      {isAdmin ? (
        <Stack gap="xl" maw={860}>
          <Text size="sm" className="dim">
            {texts.intro}
          </Text>
          <ExportPart />
          <ApplyPart />
        </Stack>
      ) : (
        <Text size="sm">
          <AskAdmins why={texts.onlyAdmins} />
        </Text>
      )}
    </SetupTabs>
  );
}
