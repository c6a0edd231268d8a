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
import { AskAdmins } from '../../components/ask-admins';
import { ConfirmDialog } from './parts/confirm-dialog';
import { Section } from './parts/section';
import { SetupTabs } from './parts/setup-tabs';
import { SourceForm } from './parts/source-form';
import { SourceState } from './parts/source-state';
import { draftOfSource, type Source } from './source-form';
import { texts } from './sources.texts';

/** One source: its state, its settings, and its deletion. */
export function SourcePage() {
  const { sourceId = '' }: { sourceId?: string } = useParams({ strict: false });
  const { data, isPending, error, refetch } = useQuery(sourceQuery(Number(sourceId) || 0));
  const isUnknown = error instanceof ApiError && [400, 404].includes(error.status);
  return (
    <SetupTabs tab="sources">
      <Stack gap="lg" maw={860}>
        <Anchor component={Link} to="/setup/sources" search={keepView as never} size="sm">
          {texts.back}
        </Anchor>
        {isUnknown && <Text size="sm">{texts.missing(isolated(sourceId))}</Text>}
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
  // The form starts with the saved values.
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
            { name: texts.columns.state, value: <SourceState source={source} /> },
            failure === null ? null : { name: texts.columns.error, value: failure },
            writeFailure === null ? null : { name: texts.columns.writeError, value: writeFailure },
            upTo === null ? null : { name: texts.columns.upTo, value: <Ago at={upTo} /> },
            writtenUpTo === null ? null : { name: texts.columns.writtenUpTo, value: <Ago at={writtenUpTo} /> },
            read === null ? null : { name: texts.columns.lastRead, value: <Ago at={read} /> },
            source.series_count === null ? null : { name: texts.columns.series, value: source.series_count },
            source.points_per_interval === null
              ? null
              : { name: texts.columns.points, value: Number(source.points_per_interval.toFixed(1)) },
          ]}
        />
        <Group gap="sm" mt={4}>
          <Anchor component={Link} to="/metrics" search={keepView as never} size="sm">
            {texts.seeMetrics}
          </Anchor>
          {isAdmin && <Acts source={source} />}
        </Group>
      </Stack>
      <Section title={texts.settings} text={isAdmin ? undefined : <AskAdmins why={texts.onlyAdmins} />}>
        {isAdmin ? (
          <SourceForm key={settings} source={source} save={change} label={texts.save} />
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
        {source.enabled ? texts.pause : texts.resume}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setDeleting(true)}>
        {texts.delete}
      </Button>
      {toggle.error && <Failed error={toggle.error} />}
      {isDeleting && (
        <ConfirmDialog
          title={texts.deleteTitle(isolated(source.name))}
          label={texts.deleteNow}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(source)}
          onClose={() => setDeleting(false)}
        >
          {texts.deleteText}
        </ConfirmDialog>
      )}
    </>
  );
}

function Settings({ source: { type, url, query } }: { source: Source }) {
  return (
    <Pairs
      pairs={[
        { name: texts.type, value: texts.types[type] },
        { name: texts.url, value: url },
        { name: texts.query, value: <span className="mono">{query}</span> },
      ]}
    />
  );
}
