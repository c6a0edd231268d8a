import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { texts as shared } from '../../components/components.texts';
import { CopyLines } from '../../components/lines/copy-lines';
import { Failed } from '../../components/page-states';
import { SenderTabs } from '../../components/lines/sender-tabs';
import { type Schema } from '../../lib/api';
import { useDraft } from '../../lib/draft';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { useNow } from '../../lib/now';
import { orgInfoQuery } from '../../lib/org-info';
import { useZone } from '../../lib/zone';
import { useCreateToken } from './api/tokens';
import { AskAdmins } from '../../components/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { TokenFields } from './parts/token-fields';
import { bodyOf, lackOf, newTokenDraft, permissionsOf } from './token-form';
import { texts } from './tokens.texts';

/** A form for a token; then the token, shown once, with lines that send with it. */
export function NewTokenPage() {
  const { admin: isAdmin } = useMe();
  const create = useCreateToken();
  return (
    <SetupTabs tab="tokens">
      <Stack gap="sm" maw={760}>
        <Anchor component={Link} to="/setup/tokens" search={keepView as never} size="sm">
          {texts.back}
        </Anchor>
        <Title order={2}>{texts.newTitle}</Title>
        {!isAdmin ? (
          <Text size="sm">
            <AskAdmins why={texts.onlyAdmins} />
          </Text>
        ) : create.data ? (
          <CreatedToken token={create.data.token} onAnother={() => create.reset()} />
        ) : (
          <NewTokenForm create={create} />
        )}
      </Stack>
    </SetupTabs>
  );
}

function NewTokenForm({ create }: { create: ReturnType<typeof useCreateToken> }) {
  const now = useNow();
  const zone = useZone();
  const [initial] = useState(() => newTokenDraft(now, zone));
  const [draft, setDraft] = useDraft('new-token', initial);
  const [isTried, setTried] = useState(false);
  const lack = lackOf(draft, now, zone);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(lack).length === 0) create.mutate(bodyOf(draft, now, zone));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TokenFields
          draft={draft}
          lack={isTried ? lack : {}}
          error={create.error}
          onChange={(part) => setDraft((current) => ({ ...current, ...part }))}
        />
        {create.error && <Failed error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CreatedToken({ token, onAnother }: { token: Schema<'TokenDto'>; onAnother: () => void }) {
  const permissions = permissionsOf(token);
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600} role="status">
        {texts.shownOnce}
      </Text>
      <CopyLines title={token.name} text={token.id} label={shared.token} />
      <Text size="sm">{texts.mayNow(permissions.map((permission) => texts.permissions[permission]).join(', '))}</Text>
      {permissions.includes('ingest') ? (
        <>
          <Title order={3}>{texts.senders}</Title>
          <SenderTabs token={token.id} />
        </>
      ) : (
        <Text size="sm" className="dim">
          {texts.notForSending}
        </Text>
      )}
      {permissions.includes('read') && <ApiLines token={token.id} />}
      <Group>
        <Button variant="default" onClick={onAnother}>
          {texts.another}
        </Button>
      </Group>
    </Stack>
  );
}

function ApiLines({ token }: { token: string }) {
  const { data } = useQuery(orgInfoQuery);
  if (!data) return null;
  const line = `curl -s ${data.environment.api_url}/anomalies -H "X-Auth-Token: ${token}"`;
  return (
    <>
      <Title order={3}>{texts.useApi}</Title>
      <CopyLines title="curl" text={line} label={shared.snippet('curl')} />
    </>
  );
}
