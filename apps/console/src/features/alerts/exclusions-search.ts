import { pageParam, textsParam, withoutGaps } from '../../lib/search-params';

/** What the address chooses: the page of the list, and the metrics that the form begins with. */
export interface ExclusionsSearch {
  page?: number;
  chips?: string[];
}

export const validateExclusionsSearch = ({ page, chips }: Record<string, unknown>): ExclusionsSearch =>
  withoutGaps({ page: pageParam(page), chips: textsParam(chips) });
