import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { MetricName } from '../../../components/metric-name';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { metricSearchQuery } from '../../../lib/metric-search';
import { type SetSearch, useSetSearch } from '../../../lib/set-search';
import { erasureQuery, useEraseMetric } from '../api/removal';
import { texts } from '../removal.texts';
import { type RemovalSearch } from '../setup-search';
import { ConfirmDialog } from './confirm-dialog';
import { Section } from './section';

const DEBOUNCE_MS = 300;
const LONGEST_NAME = 1024;

/** Erases one metric, after counting the data that would be deleted. The metric is in the address. */
export function ErasePart() {
  const { metric = '' }: RemovalSearch = useSearch({ strict: false });
  const [isConfirmOpen, setConfirmOpen] = useState(false);
  const erasure = useQuery(erasureQuery(metric));
  const isUnknown = erasure.error instanceof ApiError && erasure.error.status === 404;
  const set: SetSearch<RemovalSearch> = useSetSearch({ replace: true });
  const choose = (next: string): void => set({ metric: next || undefined });
  const erase = useEraseMetric(() => {
    setConfirmOpen(false);
    choose('');
  });
  return (
    <Section title={texts.erase} text={texts.eraseText}>
      {/* Restarts with the metric of the address, also after an erasure. */}
      <MetricField key={metric} metric={metric} onChoose={choose} error={isUnknown && texts.noMetric} />
      {erasure.error && !isUnknown && (
        <Failed error={erasure.error} onRetry={() => void erasure.refetch()} isOld={false} />
      )}
      {metric !== '' && erasure.isPending && <RowsSkeleton rows={2} />}
      {metric !== '' && erasure.data && <WouldGo erasure={erasure.data} />}
      <Group>
        <Button variant="default" disabled={metric === '' || !erasure.data} onClick={() => setConfirmOpen(true)}>
          {texts.eraseButton}
        </Button>
      </Group>
      {isConfirmOpen && erasure.data && (
        <ConfirmDialog
          title={texts.eraseTitle}
          label={texts.eraseNow}
          isPending={erase.isPending}
          error={erase.error}
          onConfirm={() => erase.mutate(metric)}
          onClose={() => setConfirmOpen(false)}
        >
          <Stack gap="xs">
            <WouldGo erasure={erasure.data} />
            {texts.eraseConfirm}
          </Stack>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Names are completed while the user types; Enter or a selection accepts the input. */
function MetricField({
  metric,
  onChoose,
  error,
}: {
  metric: string;
  onChoose: (metric: string) => void;
  error: string | false;
}) {
  const [text, setText] = useState(metric);
  const [sought] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const found = useQuery(metricSearchQuery(sought === metric ? '' : sought));
  const take = (): void => {
    if (text.trim() !== metric) onChoose(text.trim());
  };
  return (
    <Autocomplete
      label={texts.metric}
      placeholder={texts.metricHint}
      maw={560}
      maxLength={LONGEST_NAME}
      value={text}
      onChange={setText}
      onOptionSubmit={onChoose}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
      data={[...new Set((found.data?.metrics ?? []).map(({ name }) => name))]}
      filter={({ options }) => options}
      error={error}
    />
  );
}

function WouldGo({ erasure: { metric, deleted } }: { erasure: Schema<'MetricDeletedDto'> }) {
  const { counts } = texts;
  const parts = [
    counts.points(deleted.points),
    counts.anomalies(deleted.anomalies),
    counts.matches(deleted.matches),
    counts.patterns(deleted.patterns),
  ];
  return (
    <Text size="sm" role="status" component="div">
      <span className="mono">
        <MetricName name={metric} />
      </span>
      <br />
      {texts.wouldGo}: {parts.join(', ')}.
    </Text>
  );
}
