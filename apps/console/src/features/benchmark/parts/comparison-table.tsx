import { Table, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode } from 'react';
import rowClasses from '../../../components/rows.module.css';
import { countText } from '../../../lib/numbers';
import { durationText } from '../../../lib/time';
import { type ModelId, type Sort } from '../benchmark-search';
import { texts } from '../benchmark.texts';
import { bestOf, type ModelResult } from '../compare';
import classes from '../benchmark.module.css';

const WITH_LABELS: readonly Sort[] = [
  'model',
  'precision',
  'recall',
  'f1',
  'delay',
  'nab',
  'falses',
  'anomalies',
  'runtime',
];
const WITHOUT: readonly Sort[] = ['model', 'anomalies', 'runtime'];
const DIGITS = 3;

const textOf: Record<Exclude<Sort, 'model'>, (value: number) => string> = {
  precision: (value) => value.toFixed(DIGITS),
  recall: (value) => value.toFixed(DIGITS),
  f1: (value) => value.toFixed(DIGITS),
  delay: durationText,
  nab: (value) => value.toFixed(1),
  falses: countText,
  anomalies: countText,
  runtime: (value) => (value < 1 ? `${(1000 * value).toFixed(0)} ms` : `${value.toFixed(value < 10 ? 1 : 0)} s`),
};

/** Every model with its figures; a click on a heading sorts by it, a click on a model shows it in the chart. */
export function ComparisonTable({
  results,
  hasLabels,
  sort,
  isReversed,
  shown,
  onSort,
  onShow,
}: {
  results: readonly ModelResult[];
  hasLabels: boolean;
  sort: Sort;
  isReversed: boolean;
  shown: ModelId;
  onSort: (sort: Sort) => void;
  onShow: (model: ModelId) => void;
}) {
  const columns = hasLabels ? WITH_LABELS : WITHOUT;
  const best = new Map(columns.map((column) => [column, bestOf(results, column)]));
  return (
    <>
      <Text size="sm" className="dim" maw={760}>
        {hasLabels ? texts.compareNote : texts.compareNone}
      </Text>
      <div className={classes.wide} tabIndex={0} role="region" aria-label={texts.compare}>
        <Table aria-label={texts.compare} className={classes.comparison}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Heading
                  key={column}
                  column={column}
                  order={column === sort ? (isReversed ? 'reversed' : 'best') : null}
                  onSort={() => onSort(column)}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map((result) => (
              <Table.Tr key={result.id} className={rowClasses.row} data-marked={result.id === shown || undefined}>
                <Table.Th scope="row" className={classes.model}>
                  <UnstyledButton
                    className={classes.modelButton}
                    aria-pressed={result.id === shown}
                    title={texts.showModel(result.name)}
                    onClick={() => onShow(result.id)}
                  >
                    {result.name}
                  </UnstyledButton>
                  {result.status !== 'finished' && (
                    <Text size="xs" className="dim">
                      {result.status === 'failed' ? texts.modelFailed(result.message) : texts.notYet}
                    </Text>
                  )}
                </Table.Th>
                {columns.map(
                  (column) =>
                    column !== 'model' && (
                      <Cell key={column} isBest={best.get(column)?.has(result.id) === true}>
                        {figureText(result, column)}
                      </Cell>
                    ),
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

function figureText({ figures }: ModelResult, column: Exclude<Sort, 'model'>): string {
  const value = figures[column];
  return value === null ? '–' : textOf[column](value);
}

function Heading({ column, order, onSort }: { column: Sort; order: 'best' | 'reversed' | null; onSort: () => void }) {
  // For some columns more is better, for others less: the initial order puts the best first.
  const isFalling = (order === 'best') === FALLING.includes(column);
  const direction = order === null ? 'none' : isFalling ? 'descending' : 'ascending';
  return (
    <Table.Th aria-sort={direction} className={column === 'model' ? undefined : classes.number}>
      <UnstyledButton className={classes.sort} onClick={onSort} data-sorted={order !== null || undefined}>
        {texts.columns[column]}
        <span aria-hidden="true">{direction === 'none' ? '' : direction === 'descending' ? ' ↓' : ' ↑'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}

const FALLING: readonly Sort[] = ['precision', 'recall', 'f1', 'nab'];

function Cell({ isBest, children }: { isBest: boolean; children: ReactNode }) {
  return (
    <Table.Td className={rowClasses.right} data-best={isBest || undefined}>
      {isBest && <span className={classes.best}>{texts.best}</span>} {children}
    </Table.Td>
  );
}
