import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { MetricName } from '../../../components/metric-name';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { useMayWrite } from '../../../lib/me';
import { countText } from '../../../lib/numbers';
import { offerUndo } from '../../../lib/undo';
import { createTuning, deleteTuning, noisiestQuery, reloadTunings } from '../api/tunings';
import { type TeachSearch } from '../teach-search';
import { DEFAULT_FIELDS, type TuningFields } from '../tuning-fields';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { Replay } from './replay';
import { ToAnomalies } from './to-anomalies';
import { tuningSummary } from './tuning-summary';

type Noisy = Schema<'NoisyMetricDto'>;

/** Noisy metrics, each with a suggestion. */
export function NoisyTab() {
  const noisiest = useQuery(noisiestQuery);
  const { metric: shown }: TeachSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (metric: string | undefined): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({ ...current, metric }),
      replace: true,
      resetScroll: false,
    } as never);
  if (noisiest.isPending) return <RowsSkeleton rows={8} />;
  const rows = noisiest.data?.metrics ?? [];
  return (
    <section className={classes.block}>
      {noisiest.isError && (
        <Failed error={noisiest.error} onRetry={() => void noisiest.refetch()} isOld={noisiest.data !== undefined} />
      )}
      {noisiest.isSuccess && rows.length === 0 && (
        <Empty title={texts.noisyNone}>
          {texts.noisyNoneText} <ToAnomalies />
        </Empty>
      )}
      {noisiest.data && rows.length > 0 && (
        <>
          <Text size="sm" className="dim">
            {texts.noisyIntro(noisiest.data.total_anomalies, noisiest.data.total_alerts)}
          </Text>
          <div className={classes.tableBox}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.metric}</Table.Th>
                  <Table.Th className={classes.number}>{texts.anomalies}</Table.Th>
                  <Table.Th className={`${classes.number} ${classes.wide}`}>{texts.alerts}</Table.Th>
                  <Table.Th className={`${classes.number} ${classes.wide}`}>{texts.taughtShort}</Table.Th>
                  <Table.Th className={`${classes.number} ${classes.wide}`}>{texts.confirmedShort}</Table.Th>
                  <Table.Th className={`${classes.number} ${classes.wide}`}>{texts.share}</Table.Th>
                  <Table.Th>{texts.suggestion}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Fragment key={row.metric_id}>
                    <Row row={row} isShown={shown === row.metric} onShow={show} />
                    {shown === row.metric && row.suggested_tuning !== null && (
                      <Table.Tr>
                        <Table.Td colSpan={7}>
                          <Suggested row={row} onDone={() => show(undefined)} />
                        </Table.Td>
                      </Table.Tr>
                    )}
                  </Fragment>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </>
      )}
    </section>
  );
}

function Row({ row, isShown, onShow }: { row: Noisy; isShown: boolean; onShow: (metric: string | undefined) => void }) {
  return (
    <Table.Tr>
      <Table.Td className="mono">
        <Anchor
          size="sm"
          component={Link}
          to="/metric/$metricName"
          params={{ metricName: row.metric } as never}
          search={keepView as never}
        >
          <MetricName name={row.metric} />
        </Anchor>
      </Table.Td>
      <Table.Td className={classes.number}>{countText(row.anomalies)}</Table.Td>
      <Table.Td className={`${classes.number} ${classes.wide}`}>{countText(row.alerts)}</Table.Td>
      <Table.Td className={`${classes.number} ${classes.wide}`}>{countText(row.trained)}</Table.Td>
      <Table.Td className={`${classes.number} ${classes.wide}`}>{countText(row.confirmed)}</Table.Td>
      <Table.Td className={`${classes.number} ${classes.wide}`}>
        {texts.sharePercent(Math.round(100 * row.share))}
      </Table.Td>
      <Table.Td>
        <Group gap={8} justify="space-between" wrap="wrap">
          <Text size="sm">
            <bdi>{row.suggestion_text}</bdi>
          </Text>
          {row.suggested_tuning !== null && (
            <Button
              variant="default"
              size="compact-xs"
              aria-expanded={isShown}
              onClick={() => onShow(isShown ? undefined : row.metric)}
            >
              {isShown ? texts.hide : texts.preview}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** The settings that the server suggests, with their replay, and a button that saves them. */
function Suggested({ row, onDone }: { row: Noisy; onDone: () => void }) {
  const { chips, sensitivity, direction, min_duration_seconds: seconds } = row.suggested_tuning!;
  const fields: TuningFields = {
    ...DEFAULT_FIELDS,
    chips: [...chips],
    sensitivity: sensitivity ?? DEFAULT_FIELDS.sensitivity,
    direction: direction ?? DEFAULT_FIELDS.direction,
    min_duration_seconds: seconds ?? DEFAULT_FIELDS.min_duration_seconds,
  };
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const save = useMutation({
    mutationFn: () => createTuning(fields),
    onSuccess: ({ tuning }) => {
      onDone();
      offerUndo(texts.createdNow, texts.undo, async () => {
        await deleteTuning(tuning.id);
        await reloadTunings(client);
      });
      return reloadTunings(client);
    },
  });
  return (
    <div className={classes.panel}>
      <Text size="sm" fw={600}>
        {tuningSummary(fields)}
      </Text>
      <Replay fields={fields} />
      {save.isError && <Failed error={save.error} />}
      <Group gap={8}>
        {mayWrite && (
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {texts.takeSuggestion}
          </Button>
        )}
        <Button
          component={Link}
          to="/tuning/new"
          search={{ chips, sensitivity, direction, min_duration_seconds: seconds } as never}
          variant="default"
        >
          {texts.adjust}
        </Button>
      </Group>
    </div>
  );
}
