import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { words as shared } from '../../../components/components.words';
import { CopyLines } from '../../../components/lines/copy-lines';
import { Failed } from '../../../components/page-states';
import { SenderLines } from '../../../components/lines/sender-lines';
import { type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { orgInfoQuery } from '../../../lib/org-info';
import { SENDERS } from '../../../lib/senders';
import { createIngestToken } from '../api/start';
import { type StartSearch } from '../start-search';
import { words } from '../start.words';
import { LiveLight } from './live-light';
import classes from './start.module.css';

/** Lines for each sender, with the address of this installation and a token, and whether anything has arrived. */
export function SendStep() {
  const { sender: chosen }: StartSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const me = useMe();
  const org = useQuery(orgInfoQuery);
  const creation = useMutation({ mutationFn: createIngestToken });
  const token = creation.data?.token.id;
  const hasGraphite = (org.data?.environment.graphite_address ?? null) !== null;
  const senders = SENDERS.filter((sender) => sender !== 'graphite' || hasGraphite);
  const sender = chosen !== undefined && senders.includes(chosen) ? chosen : 'http';
  const choose = (next: string | null): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (current: StartSearch) => ({ ...current, sender: next }),
    } as never);
  return (
    <Stack gap="md">
      <LiveLight />
      {me.demo ? (
        <Text size="sm">{words.demoLooksOnly}</Text>
      ) : (
        <TokenPart
          token={token}
          isPending={creation.isPending}
          error={creation.error}
          onMake={() => creation.mutate(words.tokenName)}
          admins={org.data?.admin_users ?? []}
        />
      )}
      <Tabs value={sender} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label={shared.senders}>
          {senders.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {shared.sender[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {senders.map((id) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <SenderLines sender={id} token={token} />
          </Tabs.Panel>
        ))}
      </Tabs>
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
          {words.tokenShown}
        </Text>
        <CopyLines title={shared.token} text={token} label={shared.token} />
      </Stack>
    );
  }
  if (!me.admin) {
    const names = admins.flatMap(({ name }) => (name === '' ? [] : [name])).join(', ');
    return <Text size="sm">{names === '' ? words.tokenByAdmin : words.tokenByAdmins(names)}</Text>;
  }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button onClick={onMake} loading={isPending}>
          {words.makeToken}
        </Button>
        <Text size="sm" className="dim">
          {words.tokenNeeded}
        </Text>
      </Group>
      {error !== null && <Failed error={error} onRetry={onMake} />}
    </Stack>
  );
}
