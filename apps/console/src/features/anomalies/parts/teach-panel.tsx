import { Anchor, Button, Checkbox, Group, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed, Loading } from '../../../components/page-states';
import { Pairs } from '../../../components/pairs';
import { ApiError, type Schema } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { kindText } from '../../../lib/kinds';
import { durationText, lastedText, timeText } from '../../../lib/time';
import { offerUndo } from '../../../lib/undo';
import { reloadVerdicts, teach, teachingPreviewQuery, untrain, type Teaching } from '../api/anomaly';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const DEBOUNCE_MS = 400;
const DEFAULT_DURATIONS: readonly number[] = [86_400, 604_800];
const MAX_ROWS = 12;

/** Marks an anomaly as expected or not: the effect is shown next to the button that saves the verdict. */
export function TeachPanel({
  anomaly,
  expected,
  zone,
  onClose,
}: {
  anomaly: Schema<'AnomalyDto'>;
  expected: boolean;
  zone: string;
  onClose: () => void;
}) {
  const id = anomaly.id!;
  const offered = anomaly.training.durations;
  const [teaching, setTeaching] = useDraft<Teaching>(`teach ${String(id)} ${String(expected)}`, {
    expected,
    label: '',
    durations: offered.filter((seconds) => DEFAULT_DURATIONS.includes(seconds)),
    learn: true,
    remember: !expected,
  });
  const change = (part: Partial<Teaching>): void => setTeaching((current) => ({ ...current, ...part }));
  // The label does not affect the result.
  const [tried] = useDebouncedValue(teaching, DEBOUNCE_MS);
  const client = useQueryClient();
  const query = teachingPreviewQuery(id, { ...tried, label: '' });
  const save = useMutation({
    onMutate: () => client.cancelQueries({ queryKey: query.queryKey }),
    mutationFn: () => teach(id, teaching),
    onSuccess: () => {
      onClose();
      offerUndo(expected ? texts.taught : texts.confirmed, texts.undo, async () => {
        await untrain(id);
        await reloadVerdicts(client);
      });
      return reloadVerdicts(client);
    },
  });
  // After it is saved, the preview would be refused as a conflict.
  const preview = useQuery({ ...query, enabled: expected && !save.isPending && !save.isSuccess });
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  const found = preview.data?.preview ?? null;
  return (
    <section className={classes.panel} data-stale={preview.isPlaceholderData || undefined}>
      <Title order={2} size="h3">
        {expected ? texts.ifExpected : texts.ifReal}
      </Title>
      {!expected && <Text size="sm">{texts.realText}</Text>}
      {expected && preview.isPending && (
        <Loading label={texts.preview}>
          <Skeleton height={120} />
        </Loading>
      )}
      {expected && preview.isError && (
        <Failed error={preview.error} onRetry={() => void preview.refetch()} isOld={found !== null} />
      )}
      {found && (
        <div className={classes.results} aria-live="polite">
          <Consequences preview={found} zone={zone} />
        </div>
      )}
      <TextInput
        label={texts.label}
        placeholder={texts.labelHint}
        maxLength={255}
        value={teaching.label}
        error={problemOf('label')}
        onChange={(event) => change({ label: event.currentTarget.value })}
      />
      {expected && offered.length > 0 && (
        <Checkbox.Group
          label={texts.durations}
          description={texts.durationsHint}
          descriptionProps={{ fz: 'xs' }}
          size="xs"
          error={problemOf('durations')}
          value={teaching.durations.map(String)}
          onChange={(values) => {
            if (values.length > 0) change({ durations: offered.filter((seconds) => values.includes(String(seconds))) });
          }}
        >
          <Group gap={12} mt={4}>
            {offered.map((seconds) => (
              <Checkbox
                key={seconds}
                size="xs"
                value={String(seconds)}
                label={texts.durationName[seconds] ?? durationText(seconds)}
              />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {expected && (
        <Checkbox
          size="xs"
          label={texts.learn}
          checked={teaching.learn}
          onChange={(event) => change({ learn: event.currentTarget.checked })}
        />
      )}
      {!expected && (
        <Checkbox
          size="xs"
          label={texts.remember}
          checked={teaching.remember}
          onChange={(event) => change({ remember: event.currentTarget.checked })}
        />
      )}
      {save.isError && <Failed error={save.error} />}
      <Group gap={8}>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {texts.teach}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </Group>
    </section>
  );
}

function Consequences({ preview, zone }: { preview: Schema<'TrainingPreviewDto'>; zone: string }) {
  const { would_match: quiet, would_still_open: open, examples } = preview;
  return (
    <>
      <Pairs
        isWide
        pairs={[
          { name: texts.quietOf(preview.days), value: texts.ofAnomalies(quiet.length, quiet.length + open.length) },
          ...examples.map(({ what, verdict }) => ({ name: texts.example[what], value: texts.exampleVerdict[verdict] })),
        ]}
      />
      <Text size="xs" className="dim">
        {texts.checked(preview.nights_checked)}
      </Text>
      <AnomalyRows title={texts.wouldMatch} empty={texts.onlyThis} rows={quiet} zone={zone} />
      {open.length > 0 && <AnomalyRows title={texts.wouldStillOpen} empty={texts.none} rows={open} zone={zone} />}
    </>
  );
}

function AnomalyRows({
  title,
  empty,
  rows,
  zone,
}: {
  title: string;
  empty: string;
  rows: readonly (Schema<'AnomalyRefDto'> & { similarity?: number })[];
  zone: string;
}) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {rows.length === 0 && (
        <Text size="sm" className="dim">
          {empty}
        </Text>
      )}
      <ul className={classes.rows}>
        {rows.slice(0, MAX_ROWS).map((row) => (
          <li key={row.id} className={classes.short}>
            <Anchor
              size="sm"
              component={Link}
              to={`/anomaly/${String(row.id)}`}
              search={(({ tz }: Record<string, unknown>) => ({ tz })) as never}
            >
              {timeText(row.timestamp, zone)}
            </Anchor>
            <span>{kindText(row.kind)}</span>
            {row.out_until_timestamp !== null && (
              <span className="dim">{lastedText(row.out_until_timestamp - row.timestamp)}</span>
            )}
            {row.similarity !== undefined && (
              <span className="dim">{texts.alike(Math.floor(100 * row.similarity))}</span>
            )}
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && (
        <Text size="xs" className="dim">
          {texts.more(rows.length - MAX_ROWS)}
        </Text>
      )}
    </div>
  );
}
