import { Autocomplete, Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { timeText } from '../../../lib/time';
import { useWindow } from '../../../lib/window';
import { useZone } from '../../../lib/zone';
import { metricNamesQuery, type MetricSource } from '../api/benchmark';
import { texts } from '../benchmark.texts';

const DEBOUNCE_MS = 150;
const LONGEST_NAME = 1024;

/** Selects a metric of the organisation, over the window of the page. */
export function MetricField({ onMetric }: { onMetric: (source: MetricSource) => void }) {
  const [name, setName] = useState('');
  const [sought] = useDebouncedValue(name.trim(), DEBOUNCE_MS);
  const { data } = useQuery(metricNamesQuery(sought));
  const { from, until } = useWindow();
  const zone = useZone();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onMetric({ metric: name.trim(), from, until });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <Autocomplete
          flex={1}
          size="xs"
          label={texts.metric}
          placeholder={texts.metricHint}
          maxLength={LONGEST_NAME}
          value={name}
          data={[...new Set((data?.metrics ?? []).map((metric) => metric.name))]}
          // The API has already filtered its results by the text.
          filter={({ options }) => options}
          onChange={setName}
        />
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          {texts.metricRun}
        </Button>
      </Group>
      <Text size="xs" className="dim">
        {texts.metricWindow(timeText(from, zone), timeText(until, zone))}
      </Text>
    </form>
  );
}
