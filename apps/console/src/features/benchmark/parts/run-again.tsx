import { Button, FileButton, Group, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { heldSourceOf, MAX_WHOLE_POINTS, type Source, useRun } from '../api/benchmark';
import { MODEL_IDS, type ModelId } from '../benchmark-search';
import { texts } from '../benchmark.texts';
import { type ModelResult } from '../compare';
import { useOpenBenchmark } from '../open-benchmark';
import { type Labels } from '../use-labels';
import { ModelChoice } from './model-choice';

/** Runs models on the same series again, with the current labels. */
export function RunAgain({
  benchmark: { benchmark_id: id, name, points_count: points, labels_count: ofRun },
  results,
  labels,
}: {
  benchmark: Schema<'BenchmarkDto'>;
  results: readonly ModelResult[];
  labels: Labels;
}) {
  // With labels there is something to compare, so all models are selected, unless the user selected some in a run with
  // labels.
  const [chosen, setChosen] = useState<ModelId[]>(ofRun > 0 ? results.map((result) => result.id) : [...MODEL_IDS]);
  const run = useRun();
  const open = useOpenBenchmark();
  const sending = useRef<AbortController | null>(null);
  const start = (source: Source): void => {
    sending.current = new AbortController();
    run.mutate(
      { source, name, models: chosen, labels: labels.list, signal: sending.current.signal },
      { onSuccess: open },
    );
  };
  const source: Source | null = heldSourceOf(id) ?? (points <= MAX_WHOLE_POINTS ? { pointsOf: id } : null);
  return (
    <Stack gap="sm" component="section" aria-labelledby="again" maw={760}>
      <Title order={2} id="again">
        {texts.again}
      </Title>
      {labels.isChanged && <Text size="sm">{texts.changed(labels.list.length)}</Text>}
      <ModelChoice chosen={chosen} onChange={setChosen} />
      <Group gap="xs">
        {source ? (
          <Button disabled={chosen.length === 0} loading={run.isPending} onClick={() => start(source)}>
            {texts.againWith(chosen.length, labels.list.length)}
          </Button>
        ) : (
          <FileButton onChange={(file) => file && start({ file, isCounter: false })}>
            {(props) => (
              <Button {...props} disabled={chosen.length === 0} loading={run.isPending}>
                {texts.choose}
              </Button>
            )}
          </FileButton>
        )}
        {run.isPending && (
          <Button variant="default" onClick={() => sending.current?.abort()}>
            {texts.cancel}
          </Button>
        )}
      </Group>
      <Text size="xs" className="dim">
        {source ? texts.againNote : texts.needsFile(MAX_WHOLE_POINTS)} {texts.quota}
      </Text>
      {run.error && !(run.error instanceof DOMException) && <Failed error={run.error} />}
    </Stack>
  );
}
