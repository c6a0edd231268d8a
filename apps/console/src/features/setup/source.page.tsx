import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import { Ago } from '../../components/times';
import { ApiError } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { sourceQuery, useChangeSource, useDeleteSource } from './api/sources';
import { AskAdmins } from './parts/ask-admins';
import { ConfirmDialog } from './parts/confirm-dialog';
import { Section } from './parts/section';
import { SetupTabs } from './parts/setup-tabs';
import { SourceForm } from './parts/source-form';
import { SourceState } from './parts/source-state';
import { draftOfSource, type Source } from './source-form';
import { words } from './sources.words';

/** One source: how it is, its settings, and its end. */
export function SourcePage() {
  const { sourceId = '' }: { sourceId?: string } = useParams({ strict: false });
  const { data, isPending, error, refetch } = useQuery(sourceQuery(Number(sourceId) || 0));
  const isUnknown = error instanceof ApiError && [400, 404].includes(error.status);
  return (
    <SetupTabs tab="sources">
      <Stack gap="lg" maw={860}>
        <Anchor component={Link} to="/setup/sources" search={keepView as never} size="sm">
          {words.back}
        </Anchor>
        {isUnknown && <Text size="sm">{words.missing}</Text>}
        {error && !isUnknown && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={8} />}
        {data && !isUnknown && <SourceParts key={sourceId} source={data.source} />}
      </Stack>
    </SetupTabs>
  );
}

function SourceParts({ source }: { source: Source }) {
  const { admin: isAdmin } = useMe();
  const change = useChangeSource(source.id);
  // What is saved is what the form begins with.
  const settings = JSON.stringify([draftOfSource(source), source.headers_set, source.password_set]);
  const { write_back_timestamp: writtenUpTo, write_back_error: writeFailure } = source;
  const { last_success_timestamp: read, watermark_timestamp: upTo, last_error: failure } = source;
  return (
    <>
      <Stack gap={6}>
        <Title order={2}>
          <bdi>{source.name}</bdi>
        </Title>
        <Pairs
          pairs={[
            { name: words.columns.state, value: <SourceState source={source} /> },
            failure === null ? null : { name: words.columns.error, value: failure },
            writeFailure === null ? null : { name: words.columns.writeError, value: writeFailure },
            upTo === null ? null : { name: words.columns.upTo, value: <Ago at={upTo} /> },
            writtenUpTo === null ? null : { name: words.columns.writtenUpTo, value: <Ago at={writtenUpTo} /> },
            read === null ? null : { name: words.columns.lastRead, value: <Ago at={read} /> },
            source.series_count === null ? null : { name: words.columns.series, value: source.series_count },
            source.points_per_interval === null
              ? null
              : { name: words.columns.points, value: Number(source.points_per_interval.toFixed(1)) },
          ]}
        />
        <Group gap="sm" mt={4}>
          <Anchor component={Link} to="/metrics" search={keepView as never} size="sm">
            {words.seeMetrics}
          </Anchor>
          {isAdmin && <Acts source={source} />}
        </Group>
      </Stack>
      <Section title={words.settings} text={isAdmin ? undefined : <AskAdmins why={words.onlyAdmins} />}>
        {isAdmin ? (
          <SourceForm key={settings} source={source} save={change} label={words.save} />
        ) : (
          <Settings source={source} />
        )}
      </Section>
    </>
  );
}

function Acts({ source }: { source: Source }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const toggle = useChangeSource(source.id);
  const remove = useDeleteSource(() => void navigate({ to: '/setup/sources', search: keepView } as never));
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={toggle.isPending}
        onClick={() => toggle.mutate({ enabled: !source.enabled })}
      >
        {source.enabled ? words.pause : words.resume}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setDeleting(true)}>
        {words.delete}
      </Button>
      {toggle.error && <Failed error={toggle.error} />}
      {isDeleting && (
        <ConfirmDialog
          title={words.deleteTitle(isolated(source.name))}
          label={words.deleteNow}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(source)}
          onClose={() => setDeleting(false)}
        >
          {words.deleteText}
        </ConfirmDialog>
      )}
    </>
  );
}

function Settings({ source: { type, url, query } }: { source: Source }) {
  return (
    <Pairs
      pairs={[
        { name: words.type, value: words.types[type] },
        { name: words.url, value: url },
        { name: words.query, value: <span className="mono">{query}</span> },
      ]}
    />
  );
}
