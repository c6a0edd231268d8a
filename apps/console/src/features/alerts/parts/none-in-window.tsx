import { Button } from '@mantine/core';
import { texts } from '../../../components/components.texts';
import { Empty } from '../../../components/page-states';
import { useSetWindow } from '../../../lib/window';

/** Replaces an empty list of events: states what it would contain, and how to see more. */
export function NoneInWindow({
  title,
  text,
  isFiltered,
  onClear,
}: {
  title: string;
  text: string;
  isFiltered: boolean;
  onClear: () => void;
}) {
  const setWindow = useSetWindow();
  return (
    <Empty title={title}>
      {text}{' '}
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          {texts.clearFilters}
        </Button>
      )}
      <Button variant="subtle" onClick={() => setWindow('30d')}>
        {texts.longerWindow}
      </Button>
    </Empty>
  );
}
