/** Name and labels of a series. */
export interface SeriesName {
  org: number;
  /** May be empty. */
  name: string;
  labels: Readonly<Record<string, string>>;
}
