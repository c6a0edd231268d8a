import { Button, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { type ListPage } from '../lib/list-page';
import { texts } from './components.texts';
import { Failed, RowsSkeleton } from './page-states';
import { Pager } from './pager';
import rows from './rows.module.css';

/** The number of items, and of waiting rows. `children`: other parts of the line. */
export function ListCount<Item>({
  list: { total, newCount, show },
  text,
  children,
}: {
  list: ListPage<Item>;
  text: (total: number) => string;
  children?: ReactNode;
}) {
  return (
    <div className={rows.filters}>
      <Text size="sm" className="dim" role="status">
        {total !== undefined && text(total)}
      </Text>
      {newCount > 0 && (
        <Button variant="light" onClick={show}>
          {texts.showNew(newCount)}
        </Button>
      )}
      {children}
    </div>
  );
}

interface ListFrameProps<Item> {
  list: ListPage<Item>;
  /** Number of rows of a full page; if omitted, there is only one page. */
  size?: number;
  /** Number of rows of the skeleton while it is loading. */
  skeleton: number;
  empty: ReactNode;
  /** Replaces the list if the object of a filter does not exist. */
  missing?: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}

/** A list in all its states, with links to its other pages. */
export function ListFrame<Item>({ list, size, skeleton, empty, missing, children }: ListFrameProps<Item>) {
  const { items, total, page, isMissing } = list;
  const { data, isPending, error, refetch } = list.query;
  const isExplained = isMissing && missing !== undefined;
  return (
    <>
      {isExplained && missing}
      {error && !isExplained && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={skeleton} />}
      {total === 0 && empty}
      {items.length > 0 && children(items)}
      {total !== undefined && size !== undefined && <Pager page={page} size={size} total={total} />}
    </>
  );
}
