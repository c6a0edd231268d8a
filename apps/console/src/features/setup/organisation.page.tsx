import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { useMe } from '../../lib/me';
import { orgInfoQuery } from '../../lib/org-info';
import { texts } from './organisation.texts';
import { AskAdmins } from '../../components/ask-admins';
import { GeneralPart } from './parts/general-form';
import { QuotaPart } from './parts/quota-part';
import { SetupTabs } from './parts/setup-tabs';
import { VariablesPart } from './parts/variables-form';

/** Settings of the whole organisation. */
export function OrganisationPage() {
  const { admin: isAdmin } = useMe();
  const { data, isPending, error, refetch } = useQuery(orgInfoQuery);
  return (
    <SetupTabs tab="organisation">
      <Stack gap="xl" maw={860}>
        {!isAdmin && (
          <Text size="sm" className="dim">
            <AskAdmins why={texts.onlyAdmins} />
          </Text>
        )}
        <GeneralPart />
        {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={9} />}
        {data && <VariablesPart variables={data.analysis_variables} />}
        <QuotaPart />
      </Stack>
    </SetupTabs>
  );
}
