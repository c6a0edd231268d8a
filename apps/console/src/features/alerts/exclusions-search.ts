import { idParam, pageParam, textsParam, withoutGaps } from '../../lib/search-params';

/** The selection of the address: the page of the list, and the metrics or the exclusion that the form begins with. */
export interface ExclusionsSearch {
  page?: number;
  chips?: string[];
  /** The exclusion that is being changed. */
  edit?: number;
}

export const validateExclusionsSearch = ({ page, chips, edit }: Record<string, unknown>): ExclusionsSearch =>
  withoutGaps({ page: pageParam(page), chips: textsParam(chips), edit: idParam(edit) });
