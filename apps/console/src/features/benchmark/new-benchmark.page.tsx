import { Anchor, Button, Checkbox, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Failed } from '../../components/page-states';
import { withoutAccount } from '../../lib/session-state';
import { modelsQuery, type Source, useRun } from './api/benchmark';
import { MODEL_IDS, type ModelId } from './benchmark-search';
import { texts } from './benchmark.texts';
import { useOpenBenchmark } from './open-benchmark';
import { DropZone } from './parts/drop-zone';
import { KeptList } from './parts/kept-list';
import { MetricField } from './parts/metric-field';
import { ModelChoice } from './parts/model-choice';
import classes from './benchmark.module.css';

const LONGEST_NAME = 100;
/** The default of the API, used until the API has answered. */
const DEFAULT_MODELS: readonly ModelId[] = MODEL_IDS.slice(0, 3);

/** Accepts a series and runs models on it; the list of benchmarks that were started here is below. */
export function NewBenchmarkPage() {
  const { data } = useQuery(modelsQuery);
  const [chosen, setChosen] = useState<ModelId[] | null>(null);
  const [name, setName] = useState('');
  const [isCounter, setCounter] = useState(false);
  const run = useRun();
  const open = useOpenBenchmark();
  const sending = useRef<AbortController | null>(null);
  const models = chosen ?? data?.models.filter((model) => model.default).map(({ id }) => id) ?? DEFAULT_MODELS;
  const isWithout = withoutAccount.use();
  const start = (source: Source, itsName: string): void => {
    if (models.length === 0) return;
    sending.current = new AbortController();
    run.mutate(
      {
        source,
        name: (name.trim() || itsName).slice(0, LONGEST_NAME),
        models,
        labels: [],
        signal: sending.current.signal,
      },
      { onSuccess: open },
    );
  };
  const isGivenUp = run.error instanceof DOMException;
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{texts.title}</Title>
        <Text size="sm" className="dim" maw={760}>
          {texts.intro}{' '}
          <Anchor size="sm" underline="always" href="/docs/guide/benchmark.html" target="_blank">
            {texts.guide}
          </Anchor>
        </Text>
      </div>
      <div className={classes.new}>
        <Stack gap="xs" component="section" aria-label={texts.file}>
          {run.isPending ? (
            <Group className={classes.drop} role="status">
              <Loader size="xs" />
              <Text size="sm">{texts.sending}</Text>
              <Button variant="default" onClick={() => sending.current?.abort()}>
                {texts.cancel}
              </Button>
            </Group>
          ) : (
            <DropZone onFile={(file, fileName) => start({ file, isCounter }, fileName)} />
          )}
          {run.error && !isGivenUp && <Failed error={run.error} />}
          {!isWithout && <MetricField onMetric={(source) => start(source, source.metric)} />}
          <TextInput
            label={texts.name}
            placeholder={texts.nameHint}
            maxLength={LONGEST_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            size="xs"
            label={texts.counter}
            checked={isCounter}
            onChange={(event) => setCounter(event.currentTarget.checked)}
          />
          <Text size="xs" className="dim">
            {texts.quota}
          </Text>
        </Stack>
        <ModelChoice chosen={models} onChange={setChosen} />
      </div>
      <KeptList />
    </Stack>
  );
}
