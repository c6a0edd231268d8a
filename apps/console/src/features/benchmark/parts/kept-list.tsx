import { Button, Table, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { Empty, Failed } from '../../../components/page-states';
import rows from '../../../components/rows.module.css';
import { texts as shared } from '../../../components/components.texts';
import { Ago } from '../../../components/times';
import { ApiError, type Schema } from '../../../lib/api';
import { isUnreachable } from '../../../lib/failures';
import { keepView } from '../../../lib/keep-view';
import { countText } from '../../../lib/numbers';
import { useRowKeys } from '../../../lib/row-keys';
import { offerUndo } from '../../../lib/undo';
import { statusQuery } from '../api/benchmark';
import { texts } from '../benchmark.texts';
import { forgetBenchmark, keepBenchmark, type KeptBenchmark, useKeptBenchmarks } from '../kept-benchmarks';

const KEYS = { group: shared.rows.group, next: shared.rows.next, previous: shared.rows.previous };

/** Benchmarks that were started in this browser. */
export function KeptList() {
  const kept = useKeptBenchmarks();
  const list = useRef<HTMLDivElement>(null);
  const states = useQueries({ queries: kept.map(({ id }) => statusQuery(id)) });
  const away = states.find(({ error, data }) => isUnreachable(error) && data === undefined);
  useRowKeys(list, KEYS);
  return (
    <section aria-labelledby="kept">
      <Title order={2} id="kept">
        {texts.kept}
      </Title>
      <Text size="sm" className="dim">
        {texts.keptNote}
      </Text>
      {away && <Failed error={away.error} isOld={false} />}
      {kept.length === 0 ? (
        <Empty title={texts.noneKept}>{texts.noneKeptNext}</Empty>
      ) : (
        <div ref={list}>
          <Table aria-labelledby="kept" mt="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.keptColumns.name}</Table.Th>
                <Table.Th>{texts.keptColumns.state}</Table.Th>
                <Table.Th visibleFrom="sm" className={rows.right}>
                  {texts.keptColumns.points}
                </Table.Th>
                <Table.Th visibleFrom="sm">{texts.keptColumns.started}</Table.Th>
                <Table.Th visibleFrom="sm">{texts.keptColumns.erased}</Table.Th>
                <Table.Th aria-label={texts.forget} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {kept.map((one, i) => (
                <Row key={one.id} kept={one} state={states[i]!} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  );
}

function Row({
  kept,
  state: { data, error },
}: {
  kept: KeptBenchmark;
  state: UseQueryResult<Schema<'BenchmarkAnswerDto'>>;
}) {
  const name = kept.name === '' ? texts.unnamed : kept.name;
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 410);
  const forget = (): void => {
    forgetBenchmark(kept.id);
    offerUndo(texts.forgotten(name), texts.undo, () => keepBenchmark(kept));
  };
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <Link
          to="/benchmark/$benchmarkId"
          params={{ benchmarkId: kept.id }}
          search={
            ((current: Record<string, unknown>) => ({
              tz: keepView(current).tz,
              ...(kept.with === undefined ? {} : { with: kept.with }),
            })) as never
          }
          className={rows.link}
          data-row={kept.id}
        >
          <bdi>{name}</bdi>
        </Link>
      </Table.Td>
      <Table.Td>{isGone ? texts.gone : data ? stateText(data.benchmark) : '–'}</Table.Td>
      <Table.Td visibleFrom="sm" className={rows.right}>
        {data ? countText(data.benchmark.points_count) : '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        <Ago at={kept.startedAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        <Ago at={kept.expiresAt} />
      </Table.Td>
      <Table.Td className={rows.right}>
        <Button variant="subtle" color="gray" size="compact-xs" aria-label={texts.forgetOf(name)} onClick={forget}>
          {texts.remove}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

const stateText = ({ status, percent }: Schema<'BenchmarkDto'>): string =>
  status === 'running' ? `${texts.states.running}, ${texts.percent(percent)}` : texts.states[status];
