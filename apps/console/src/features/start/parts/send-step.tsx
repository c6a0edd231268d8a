import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { texts as shared } from '../../../components/components.texts';
import { CopyLines } from '../../../components/lines/copy-lines';
import { Failed } from '../../../components/page-states';
import { SenderTabs } from '../../../components/lines/sender-tabs';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { useMe } from '../../../lib/me';
import { orgInfoQuery } from '../../../lib/org-info';
import { createIngestToken } from '../api/start';
import { texts } from '../start.texts';
import { LiveLight } from './live-light';
import { TestSends } from './test-sends';
import classes from './start.module.css';

/** Lines for each sender, with the address of this installation and a token, and whether anything has arrived. */
export function SendStep() {
  const me = useMe();
  const org = useQuery(orgInfoQuery);
  const creation = useMutation({ mutationFn: createIngestToken });
  const token = creation.data?.token.id;
  return (
    <Stack gap="md">
      <LiveLight />
      {me.demo ? (
        <Text size="sm">{texts.demoLooksOnly}</Text>
      ) : (
        <TokenPart
          token={token}
          isPending={creation.isPending}
          error={creation.error}
          onMake={() => creation.mutate(texts.tokenName)}
          admins={org.data?.admin_users ?? []}
        />
      )}
      <SenderTabs token={token} />
      {me.admin && (
        <Text size="sm">
          {texts.orFetch}{' '}
          <Anchor component={Link} to="/setup/sources/new" search={keepView as never} size="sm">
            {texts.orFetchLink}
          </Anchor>
        </Text>
      )}
      {!me.demo && <TestSends />}
    </Stack>
  );
}

interface TokenPartProps {
  token: string | undefined;
  isPending: boolean;
  error: unknown;
  onMake: () => void;
  admins: readonly Schema<'UserDto'>[];
}

function TokenPart({ token, isPending, error, onMake, admins }: TokenPartProps) {
  const me = useMe();
  if (token !== undefined) {
    return (
      <Stack gap={6} className={classes.token}>
        <Text size="sm" fw={600}>
          {texts.tokenShown}
        </Text>
        <CopyLines title={shared.token} text={token} label={shared.token} />
      </Stack>
    );
  }
  if (!me.admin) {
    const names = admins.flatMap(({ name }) => (name === '' ? [] : [name])).join(', ');
    return <Text size="sm">{names === '' ? texts.tokenByAdmin : texts.tokenByAdmins(names)}</Text>;
  }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button onClick={onMake} loading={isPending}>
          {texts.makeToken}
        </Button>
        <Text size="sm" className="dim">
          {texts.tokenNeeded}
        </Text>
      </Group>
      {error !== null && <Failed error={error} onRetry={onMake} />}
    </Stack>
  );
}
