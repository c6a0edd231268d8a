import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../lib/api';
import { useDraft } from '../../lib/draft';
import { keepView } from '../../lib/keep-view';
import { useMayWrite } from '../../lib/me';
import { offerUndo } from '../../lib/undo';
import { Failed } from '../../components/page-states';
import { chipOfMetric } from '../../lib/metric-chip';
import { createTuning, deleteTuning, reloadTunings } from './api/tunings';
import { Replay } from './parts/replay';
import { TuningForm } from './parts/tuning-form';
import { type NewTuningSearch } from './teach-search';
import { DEFAULT_FIELDS, type TuningFields } from './tuning-fields';
import { texts } from './teach.texts';
import classes from './teach.module.css';

/** Settings of detection for some metrics, with their effect on the past. */
export function NewTuningPage() {
  const { metric, chips, ...rest }: NewTuningSearch = useSearch({ strict: false });
  const [fields, setFields] = useDraft<TuningFields>(`new tuning ${metric ?? ''} ${(chips ?? []).join()}`, {
    ...DEFAULT_FIELDS,
    chips: chips ?? (metric === undefined ? [] : [chipOfMetric(metric)]),
    sensitivity: rest.sensitivity ?? 1,
    direction: rest.direction ?? 'both',
    min_duration_seconds: rest.min_duration_seconds ?? 0,
  });
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const save = useMutation({
    mutationFn: () => createTuning(fields),
    onSuccess: async ({ tuning }) => {
      offerUndo(texts.createdNow, texts.undo, async () => {
        await deleteTuning(tuning.id);
        await reloadTunings(client);
        await navigate({ to: '/teach', search: { tab: 'tunings' } } as never);
      });
      await reloadTunings(client);
      await navigate({ to: `/tuning/${String(tuning.id)}`, search: keepView, replace: true } as never);
    },
  });
  return (
    <div className={classes.page}>
      <Title order={1}>{texts.newTuning}</Title>
      {!mayWrite && (
        <Text size="sm" className="dim">
          {texts.readOnly}
        </Text>
      )}
      <div className={`${classes.columns} ${classes.form}`}>
        <div className={classes.panel}>
          <TuningForm
            fields={fields}
            error={save.error}
            isReadOnly={false}
            onChange={(change) => setFields((current) => ({ ...current, ...change }))}
          />
          {save.isError && !(save.error instanceof ApiError && save.error.problems.length > 0) && (
            <Failed error={save.error} />
          )}
          {mayWrite && (
            <Group>
              <Button loading={save.isPending} disabled={fields.chips.length === 0} onClick={() => save.mutate()}>
                {texts.create}
              </Button>
            </Group>
          )}
        </div>
        <Replay fields={fields} />
      </div>
    </div>
  );
}
