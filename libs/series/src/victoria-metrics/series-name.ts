/** How a series is called. */
export interface SeriesName {
  org: number;
  /** May be empty. */
  name: string;
  labels: Readonly<Record<string, string>>;
}
