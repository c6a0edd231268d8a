export interface PendingText {
  /** One line in the imperative, as in `@ApiOperation`. */
  summary: string;
  /** What the call will do, in a sentence or two. */
  description: string;
}

/**
 * What the API description says of the calls in `NOT_IMPLEMENTED`, by their method and path there.
 * test/architecture/openapi.spec.ts holds both lists against each other.
 */
export const PENDING_TEXTS: Readonly<Record<string, PendingText | undefined>> = {};
