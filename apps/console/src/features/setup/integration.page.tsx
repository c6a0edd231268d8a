import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CopyLines } from '../../components/lines/copy-lines';
import { MarkedText } from '../../components/lines/marked-text';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import { Ago } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { serviceConfigQuery } from '../../lib/service-config';
import { texts } from './integrations.texts';
import { IntegrationSettings } from './parts/integration-settings';
import { IntegrationTest } from './parts/integration-test';
import { Section } from './parts/section';
import { ServiceState } from './parts/service-state';
import { SetupTabs } from './parts/setup-tabs';

const POLL_MS = 30_000;

/** One integration: whether it works, its settings, a test, and instructions for setting it up. */
export function IntegrationPage() {
  const { serviceId = '' }: { serviceId?: string } = useParams({ strict: false });
  const { data, isPending, error, refetch } = useQuery({
    ...serviceConfigQuery(serviceId),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <SetupTabs tab="integrations">
      <Stack gap="lg" maw={860}>
        <Anchor component={Link} to="/setup/integrations" search={keepView as never} size="sm">
          {texts.back}
        </Anchor>
        {isUnknown && <Text size="sm">{texts.missing(isolated(serviceId))}</Text>}
        {error && !isUnknown && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={8} />}
        {data && <Integration key={serviceId} config={data} />}
      </Stack>
    </SetupTabs>
  );
}

function Integration({ config }: { config: Schema<'ServiceConfigDto'> }) {
  const { admin: isAdmin } = useMe();
  const { service, instructions, snippets } = config;
  const { name, provider, description, last_ok_timestamp: ok, last_error: failure } = service;
  return (
    <>
      <Stack gap={6}>
        <Title order={2}>{name}</Title>
        <Text size="sm">
          {description} <span className="dim">{texts.by(provider)}</span>
        </Text>
        <Pairs
          pairs={[
            { name: texts.columns.state, value: <ServiceState service={service} /> },
            ok === null ? null : { name: texts.lastOk, value: <Ago at={ok} /> },
            failure === null ? null : { name: texts.lastError, value: failure },
          ]}
        />
      </Stack>
      <Section title={texts.help}>
        <Text size="sm" component="div">
          <MarkedText text={instructions} />
        </Text>
        {snippets.map(({ title, code }) => (
          <CopyLines key={title} title={title} text={code} label={texts.snippet(title)} />
        ))}
      </Section>
      <IntegrationSettings config={config} />
      {isAdmin && service.testable && <IntegrationTest service={service} />}
    </>
  );
}
