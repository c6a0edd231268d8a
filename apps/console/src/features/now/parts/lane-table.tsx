import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MetricName } from '../../../components/metric-name';
import { Lasted, Time } from '../../../components/times';
import { keepView } from '../../../lib/keep-view';
import { type TimeWindow } from '../../../lib/window';
import { whatIs } from '../lane-text';
import { type Lane } from '../lanes';
import { texts } from '../now.texts';

/** The swim-lane as rows of a table. */
export default function LaneTable({ lanes, window }: { lanes: readonly Lane[]; window: TimeWindow }) {
  const rows = lanes.flatMap(({ metric, stretches }) =>
    stretches
      .filter(({ from, until }) => from <= window.until && (until ?? window.until) >= window.from)
      .map((stretch) => ({ metric, stretch })),
  );
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.metric}</Table.Th>
          <Table.Th>{texts.columns.what}</Table.Th>
          <Table.Th>{texts.columns.from}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.until}</Table.Th>
          <Table.Th>{texts.columns.lasted}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ metric, stretch }) => (
          <Table.Tr key={`${stretch.what}${String(stretch.id)}`}>
            <Table.Td className="mono">
              <MetricName name={metric} />
            </Table.Td>
            <Table.Td>
              <Anchor
                size="sm"
                renderRoot={(props: object) => (
                  <Link {...props} to={`/${stretch.what}/${String(stretch.id)}` as never} search={keepView as never} />
                )}
              >
                {whatIs(stretch)}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Time at={stretch.from} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              {stretch.until === null ? texts.stillOpen : <Time at={stretch.until} />}
            </Table.Td>
            <Table.Td>
              <Lasted from={stretch.from} until={stretch.until} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
