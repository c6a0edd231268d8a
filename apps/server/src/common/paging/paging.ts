import { ApiProperty } from '@nestjs/swagger';
import { IntParam } from '../validation/param.decorators.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_OFFSET = 100_000;

/** Rows per page; for lists with a different default or maximum. */
export const LimitParam = (bounds: { default?: number; max?: number } = {}): PropertyDecorator =>
  IntParam({
    min: 1,
    max: bounds.max ?? MAX_LIMIT,
    default: bounds.default ?? DEFAULT_LIMIT,
    description: 'Most rows in the answer',
  });

export const OffsetParam = (): PropertyDecorator =>
  IntParam({ min: 0, max: MAX_OFFSET, default: 0, description: 'Rows to skip' });

/** The requested rows of a list. */
export interface Page {
  limit: number;
  offset: number;
}

/** The page members of an answer. */
export interface PageMembers extends Page {
  total: number;
}

/** Paging members of an answer; answers with a list extend it. */
export class PageDto implements PageMembers {
  @ApiProperty({ type: 'integer', description: 'Rows in all' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  limit!: number;

  @ApiProperty({ type: 'integer' })
  offset!: number;
}

export function pageOf(page: Page, total: number): PageMembers {
  return { total, limit: page.limit, offset: page.offset };
}
