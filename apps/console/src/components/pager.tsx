import { Button, Group, Text } from '@mantine/core';
import { countText } from '../lib/numbers';
import { useSetSearch } from '../lib/set-search';
import { texts } from './components.texts';

/**
 * Links to the pages of a list through `page` in the address; nothing if there is only one page. `page` counts from 1.
 */
export function Pager({ page, size, total }: { page: number; size: number; total: number }) {
  const set = useSetSearch();
  const open = (next: number): void => set({ page: next === 1 ? undefined : next });
  if (total <= size && page === 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <Group gap="xs" py="xs">
      <Button variant="default" disabled={page === 1} onClick={() => open(page - 1)}>
        {texts.previousPage}
      </Button>
      <Text size="sm" className="dim">
        {texts.pageOf(countText(first), countText(Math.min(total, page * size)), countText(total))}
      </Text>
      <Button variant="default" disabled={page * size >= total} onClick={() => open(page + 1)}>
        {texts.nextPage}
      </Button>
    </Group>
  );
}
