import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { MetricName } from '../../../components/metric-name';
import { ApiError, type Schema } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { valueText } from '../../../lib/numbers';
import { useTestSource } from '../api/sources';
import {
  API_FIELD,
  bodyOfSource,
  draftOfSource,
  lacksOf,
  NEW_SOURCE,
  secretsOf,
  type Source,
  type SourceField,
} from '../source-form';
import { texts } from '../sources.texts';
import { SourceFields } from './source-fields';

type Body = ReturnType<typeof bodyOfSource>;

interface SourceFormProps {
  /** Null: a new source. */
  source: Source | null;
  save: { mutate: (body: Body) => void; isPending: boolean; error: Error | null };
  label: string;
}

const NO_LACKS: ReadonlySet<SourceField> = new Set();

/** The settings of a source, the results of its query, and the button that saves it. */
export function SourceForm({ source, save, label }: SourceFormProps) {
  const [stored] = useState(() => (source === null ? NEW_SOURCE : draftOfSource(source)));
  const [draft, setDraft] = useDraft(`source ${String(source?.id ?? 'new')}`, stored);
  const [secrets, setSecrets] = useState(() => secretsOf(source));
  const [isTried, setTried] = useState(false);
  const test = useTestSource(source?.id ?? null);
  const lacks = lacksOf(draft, secrets);
  const error = save.error ?? test.error;
  const isOfField = error instanceof ApiError && error.problems.some(({ field }) => FIELDS.has(field ?? ''));

  const send = (act: (body: Body) => void): void => {
    setTried(true);
    if (lacks.size === 0) act(bodyOfSource(draft, secrets));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    send(save.mutate);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SourceFields
          draft={draft}
          secrets={secrets}
          onChange={(part) => setDraft((current) => ({ ...current, ...part }))}
          onSecrets={(part) => setSecrets((current) => ({ ...current, ...part }))}
          lacks={isTried ? lacks : NO_LACKS}
          error={error}
          hasPassword={source?.password_set ?? false}
        />
        {error && !isOfField && <Failed error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending}>
            {label}
          </Button>
          <Button variant="default" loading={test.isPending} onClick={() => send(test.mutate)}>
            {texts.test}
          </Button>
        </Group>
        <div role="status">{test.data && <Tested result={test.data} unit={draft.unit} />}</div>
      </Stack>
    </form>
  );
}

const FIELDS = new Set<string>(Object.values(API_FIELD));

function Tested({ result, unit }: { result: Schema<'SourceTestedDto'>; unit: string }) {
  const { ok: isOk, message, duration_seconds: seconds, series, series_count: count } = result;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={isOk ? undefined : 600}>
        {texts.tested(isOk, isOk ? texts.testedSeries(count) : message, seconds.toFixed(1))}
      </Text>
      {series.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.seriesColumns.metric}</Table.Th>
              <Table.Th>{texts.seriesColumns.points}</Table.Th>
              <Table.Th>{texts.seriesColumns.last}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {series.map(({ metric, points, last_value: last }) => (
              <Table.Tr key={metric}>
                <Table.Td className="mono">
                  <MetricName name={metric} />
                </Table.Td>
                <Table.Td>{points}</Table.Td>
                <Table.Td>{valueText(last, unit === '' ? null : unit)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
