import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Failed, PageSkeleton, RecordMissing } from '../../components/page-states';
import { Ago } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { useDraft } from '../../lib/draft';
import { useMayWrite } from '../../lib/me';
import { offerUndo } from '../../lib/undo';
import { createTuning, deleteTuning, reloadTunings, tuningQuery, updateTuning } from './api/tunings';
import { Replay } from './parts/replay';
import { TuningForm } from './parts/tuning-form';
import { fieldsOf, type TuningFields } from './tuning-fields';
import { texts } from './teach.texts';
import classes from './teach.module.css';

export function TuningPage() {
  const { tuningId } = useParams({ strict: false });
  const id = Number(tuningId);
  const isId = Number.isInteger(id) && id > 0;
  const answer = useQuery({ ...tuningQuery(id), enabled: isId });
  if (!isId || (answer.error instanceof ApiError && answer.error.status === 404)) {
    return <RecordMissing kind="tuning" id={tuningId ?? ''} />;
  }
  if (answer.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      {answer.isError && !answer.data && <Title order={1}>{texts.tuningUnnamed(id)}</Title>}
      {answer.isError && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} isOld={answer.data !== undefined} />
      )}
      {answer.data && <Loaded key={id} tuning={answer.data.tuning} />}
    </div>
  );
}

const NOTHING: Partial<TuningFields> = {};

function Loaded({ tuning }: { tuning: Schema<'TuningDto'> }) {
  const { id } = tuning;
  const saved = fieldsOf(tuning);
  const [changed, setChanged] = useDraft<Partial<TuningFields>>(`tuning ${String(id)}`, NOTHING);
  // Values that another user saves in the meantime appear in the fields that are not edited here.
  const fields: TuningFields = { ...saved, ...changed };
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const isChanged = JSON.stringify(fields) !== JSON.stringify(saved);
  const save = useMutation({
    mutationFn: () => updateTuning(id, fields),
    onSuccess: () => {
      offerUndo(texts.changed, texts.undo, async () => {
        await updateTuning(id, saved);
        await reloadTunings(client);
      });
      return reloadTunings(client).then(() => setChanged(() => NOTHING));
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteTuning(id),
    onSuccess: async () => {
      offerUndo(texts.removed, texts.undo, async () => {
        await createTuning(saved);
        await reloadTunings(client);
      });
      client.removeQueries({ queryKey: ['tunings', id] });
      await navigate({ to: '/teach', search: { tab: 'tunings' } } as never);
      await reloadTunings(client);
    },
  });
  const failed = save.error ?? remove.error;
  return (
    <>
      <div>
        <Title order={1}>
          <bdi>{tuning.name === '' ? texts.tuningUnnamed(id) : tuning.name}</bdi>
        </Title>
        <Text size="sm" className="dim">
          {texts.metricsCount(tuning.metrics_count)}, <bdi>{tuning.created_by_display_name ?? ''}</bdi>{' '}
          <Ago at={tuning.created_timestamp} />
        </Text>
      </div>
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
            isReadOnly={!mayWrite}
            onChange={(change) => setChanged((current) => ({ ...current, ...change }))}
          />
          {failed !== null && !(failed instanceof ApiError && failed.problems.length > 0) && <Failed error={failed} />}
          {mayWrite && (
            <Group>
              <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
                {texts.save}
              </Button>
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
                {texts.remove}
              </Button>
            </Group>
          )}
        </div>
        <Replay fields={fields} />
      </div>
    </>
  );
}
