import { Anchor, Button, Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { keepView } from '../../../lib/keep-view';
import { useMayWrite } from '../../../lib/me';
import { countText } from '../../../lib/numbers';
import { tuningsQuery } from '../api/tunings';
import { fieldsOf } from '../tuning-fields';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { chipsText, tuningSummary } from './tuning-summary';

const NOISY = (current: Record<string, unknown>) => ({ ...keepView(current), tab: 'noisy' });

export function TuningsTab() {
  const tunings = useQuery(tuningsQuery);
  const mayWrite = useMayWrite();
  const rows = tunings.data?.tunings ?? [];
  return (
    <section className={classes.block}>
      {mayWrite && (
        <Group>
          <Button component={Link} to="/tuning/new" search={keepView as never} variant="default">
            {texts.newTuning}
          </Button>
        </Group>
      )}
      {tunings.isError && (
        <Failed error={tunings.error} onRetry={() => void tunings.refetch()} isOld={tunings.data !== undefined} />
      )}
      {tunings.isPending && <RowsSkeleton rows={5} />}
      {tunings.data?.tunings.length === 0 && (
        <Empty title={texts.tuningsNone}>
          {texts.tuningsNoneText}{' '}
          <Anchor component={Link} to="/teach" search={NOISY as never} size="sm">
            {texts.tabs.noisy}
          </Anchor>
        </Empty>
      )}
      {rows.length > 0 && (
        <div className={classes.tableBox}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.name}</Table.Th>
                <Table.Th>{texts.settings}</Table.Th>
                <Table.Th className={classes.wide}>{texts.chips}</Table.Th>
                <Table.Th className={classes.number}>{texts.metric}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((tuning) => (
                <Table.Tr key={tuning.id}>
                  <Table.Td>
                    <Anchor size="sm" component={Link} to={`/tuning/${String(tuning.id)}`} search={keepView as never}>
                      <bdi>{tuning.name === '' ? texts.tuningUnnamed(tuning.id) : tuning.name}</bdi>
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{tuningSummary(fieldsOf(tuning))}</Table.Td>
                  <Table.Td className={`mono ${classes.wide}`}>
                    <bdi>{chipsText(tuning.chips)}</bdi>
                  </Table.Td>
                  <Table.Td className={classes.number}>{countText(tuning.metrics_count)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  );
}
