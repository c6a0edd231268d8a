import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ChipsField } from '../../../components/chips-field';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { type SetSearch, useSetSearch } from '../../../lib/set-search';
import { quotaQuery, removalQuery, useRemoveMetrics } from '../api/organisation';
import { texts } from '../organisation.texts';
import { type OrganisationSearch } from '../setup-search';
import { ConfirmDialog } from './confirm-dialog';
import { Section } from './section';

const MAX_SHOWN = 20;
const NO_CHIPS: string[] = [];

/** How many metrics count, with a form for removing metrics from the quota, including a preview. */
export function QuotaPart() {
  const { admin: isAdmin } = useMe();
  const { data, isPending, error, refetch } = useQuery(quotaQuery);
  return (
    <Section title={texts.quota}>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={1} />}
      {data && <Text size="sm">{quotaText(data)}</Text>}
      {isAdmin && <Removal />}
    </Section>
  );
}

function quotaText({ quota_used: used, metric_limit: limit, remaining }: Schema<'QuotaMetricsDto'>): string {
  return limit === null ? texts.quotaUsed(used) : texts.quotaOf(used, limit, remaining ?? 0);
}

function Removal() {
  const { remove: chips = NO_CHIPS }: OrganisationSearch = useSearch({ strict: false });
  const [isConfirmOpen, setConfirmOpen] = useState(false);
  const preview = useQuery(removalQuery(chips));
  const set: SetSearch<OrganisationSearch> = useSetSearch({ replace: true });
  const choose = (next: readonly string[]): void => set({ remove: next.length === 0 ? undefined : [...next] });
  const removal = useRemoveMetrics(() => {
    setConfirmOpen(false);
    choose([]);
  });
  const problem = preview.error instanceof ApiError ? preview.error.problemOf('chips') : undefined;
  const found = chips.length > 0 && !preview.error ? preview.data : undefined;
  return (
    <Stack gap="xs" mt="xs">
      <Title order={3}>{texts.remove}</Title>
      <Text size="sm" className="dim">
        {texts.removeText}
      </Text>
      <ChipsField label={texts.removeChips} value={chips} onChange={choose} error={problem} />
      {preview.error && problem === undefined && (
        <Failed error={preview.error} onRetry={() => void preview.refetch()} isOld={false} />
      )}
      {found && <Preview removal={found} />}
      <Group>
        <Button
          variant="default"
          disabled={found === undefined || found.count === 0 || preview.isPlaceholderData}
          onClick={() => setConfirmOpen(true)}
        >
          {texts.removeButton(found?.count ?? 0)}
        </Button>
      </Group>
      {isConfirmOpen && found && (
        <ConfirmDialog
          title={texts.removeTitle(found.count)}
          label={texts.removeNow}
          isPending={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate(chips)}
          onClose={() => setConfirmOpen(false)}
        >
          {texts.removeConfirm}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function Preview({ removal: { metrics, count, quota_used: left } }: { removal: Schema<'QuotaRemovalDto'> }) {
  const shown = metrics.slice(0, MAX_SHOWN);
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {count === 0 ? texts.dryRunNone : texts.dryRun(count, left)}
      </Text>
      {shown.map((name) => (
        <Text key={name} size="sm" className="mono">
          <bdi>{name}</bdi>
        </Text>
      ))}
      {count > shown.length && (
        <Text size="sm" className="dim">
          {texts.andMore(count - shown.length)}
        </Text>
      )}
    </div>
  );
}
