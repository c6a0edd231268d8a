import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keepView } from '../lib/keep-view';
import { summaryQuery } from '../lib/summary';
import { texts } from './components.texts';
import { Empty } from './page-states';

/**
 * Replaces an empty list of anomalies: states why it is empty and the next step; with a different text before any data
 * has arrived.
 */
export function Nothing({
  title,
  isFiltered,
  onClear,
}: {
  title: string;
  isFiltered: boolean;
  /** Removes the filters. */
  onClear?: () => void;
}) {
  const { data, isPending } = useQuery(summaryQuery);
  if (isPending) return <Empty title={title} />;
  if (data?.summary.metrics.total === 0) {
    return (
      <Empty title={title}>
        {texts.noneYet}{' '}
        <Anchor component={Link} to="/start" search={keepView as never} size="sm">
          {texts.sendData}
        </Anchor>
      </Empty>
    );
  }
  return (
    <Empty title={title}>
      {isFiltered ? texts.noneFilters : texts.noneWindow}{' '}
      {isFiltered && onClear && (
        <Button variant="subtle" onClick={onClear}>
          {texts.clearFilters}
        </Button>
      )}
    </Empty>
  );
}
