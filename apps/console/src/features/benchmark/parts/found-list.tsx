import { Button, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { RowsSkeleton } from '../../../components/page-states';
import rows from '../../../components/rows.module.css';
import { Time } from '../../../components/times';
import { kindText } from '../../../lib/kinds';
import { valueText } from '../../../lib/numbers';
import { fullTimeText, lastedText } from '../../../lib/time';
import { useZone } from '../../../lib/zone';
import { type BenchmarkSearch } from '../benchmark-search';
import { texts } from '../benchmark.texts';
import { type Found } from '../chart-data';
import { isRight, type ModelResult } from '../compare';
import { type Label } from '../labels';
import classes from '../benchmark.module.css';

const SHOWN_AT_FIRST = 20;
const STEP = 100;

/** The anomalies of one model, next to the labels. */
export function FoundList({
  model: { id, name, status, data, figures },
  labels,
  filter,
  onFilter,
  onLabel,
}: {
  model: ModelResult;
  labels: readonly Label[];
  filter: BenchmarkSearch['found'];
  onFilter: (filter: BenchmarkSearch['found']) => void;
  onLabel: (found: Found) => void;
}) {
  const [shown, setShown] = useState({ id, count: SHOWN_AT_FIRST });
  const count = shown.id === id ? shown.count : SHOWN_AT_FIRST;
  const all = (data?.anomalies ?? []).map((found) => ({ found, isOnLabel: isRight(found, labels) }));
  const list = all.filter(({ isOnLabel }) => filter === undefined || isOnLabel === (filter === 'right'));
  return (
    <Stack gap="xs" component="section" aria-labelledby="found">
      <div className={classes.head}>
        <Title order={2} id="found">
          {texts.found(name)}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={texts.foundFilter}
          value={filter ?? 'all'}
          onChange={(value) => onFilter(value === 'right' || value === 'false' ? value : undefined)}
          data={Object.entries(texts.foundFilters).map(([value, label]) => ({ value, label }))}
        />
      </div>
      {!data && status === 'finished' && <RowsSkeleton rows={4} />}
      {!data && status !== 'finished' && <Text size="sm">{texts.notYet}</Text>}
      {data && list.length === 0 && <Text size="sm">{all.length === 0 ? texts.nothingFound : texts.nothingShown}</Text>}
      {list.length > 0 && (
        <Table aria-labelledby="found">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.foundColumns.from}</Table.Th>
              <Table.Th>{texts.foundColumns.length}</Table.Th>
              <Table.Th visibleFrom="sm">{texts.foundColumns.kind}</Table.Th>
              <Table.Th visibleFrom="sm" className={rows.right}>
                {texts.foundColumns.value}
              </Table.Th>
              <Table.Th>{texts.foundColumns.verdict}</Table.Th>
              <Table.Th aria-label={texts.foundColumns.acts} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.slice(0, count).map(({ found, isOnLabel }) => (
              <Row key={found.from} found={found} isOnLabel={isOnLabel} onLabel={() => onLabel(found)} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {list.length > count && (
        <Button variant="default" onClick={() => setShown({ id, count: count + STEP })}>
          {texts.more(list.length - count)}
        </Button>
      )}
      {data && (figures.anomalies ?? 0) > data.anomalies.length && (
        <Text size="xs" className="dim">
          {texts.first(data.anomalies.length)}
        </Text>
      )}
    </Stack>
  );
}

function Row({ found, isOnLabel, onLabel }: { found: Found; isOnLabel: boolean; onLabel: () => void }) {
  const zone = useZone();
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={rows.when}>
        <Time at={found.from} />
      </Table.Td>
      <Table.Td className={rows.when}>{lastedText(found.until - found.from)}</Table.Td>
      <Table.Td visibleFrom="sm">{kindText(found.kind)}</Table.Td>
      <Table.Td visibleFrom="sm" className={rows.right}>
        {valueText(found.value)}
      </Table.Td>
      <Table.Td>{isOnLabel ? texts.onLabel : texts.onNone}</Table.Td>
      <Table.Td className={rows.right}>
        {!isOnLabel && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={texts.labelThisOf(fullTimeText(found.from, zone))}
            onClick={onLabel}
          >
            {texts.labelThis}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
