import { type UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './api';
import { type HeldList, useHeldList } from './held-list';
import { type TimeWindow } from './window';

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'isPending' | 'error' | 'refetch'>;

interface ListOptions<Data, Item> {
  query: Query<Data>;
  itemsOf: (data: Data) => readonly Item[];
  /** The selection in the address: filters and page. */
  search: { page?: number };
  /** For a list of events: its rows keep their positions, and new ones wait until the user asks for them. */
  held?: { idOf: (item: Item) => string | number; window: TimeWindow };
}

/** A list for its page. */
export interface ListPage<Item> extends HeldList<Item> {
  query: Query<object>;
  /** Number of items on all pages; undefined while unknown. */
  total: number | undefined;
  /** Counted from 1. */
  page: number;
  /** A filter refers to something that does not exist. */
  isMissing: boolean;
}

const NO_ID = (): string => '';

/**
 * The data that the frame of a list needs from its query. The total of a list without pages is the number of its items.
 */
export function useListPage<Data extends object, Item>(options: ListOptions<Data, Item>): ListPage<Item> {
  const { query, itemsOf, search, held } = options;
  const newest = query.data === undefined ? [] : itemsOf(query.data);
  const scope = JSON.stringify([search, held?.window.lastSeconds ?? held?.window]);
  const kept = useHeldList(held ? newest : [], held?.idOf ?? NO_ID, scope);
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  const { total = newest.length } = (query.data ?? {}) as { total?: number };
  return {
    ...kept,
    query,
    items: isMissing ? [] : held ? kept.items : newest,
    total: query.data === undefined || isMissing ? undefined : total,
    page: search.page ?? 1,
    isMissing,
  };
}
