/**
 * Pages of a shard that have changed since they were last saved, and the position from which inputs must be applied
 * again to get from the saved pages to the state in memory.
 */
export class PageLedger {
  /** For each page: the position before its first change since it was saved; Infinity if there is none. */
  private readonly changedAfter: number[] = [];

  /** Records that an input changes a page; `before`: the largest position known not to include the change. */
  note(page: number, before: number): void {
    while (this.changedAfter.length <= page) this.changedAfter.push(Infinity);
    if (before < this.changedAfter[page]!) this.changedAfter[page] = before;
  }

  saved(page: number): void {
    this.changedAfter[page] = Infinity;
  }

  /** The page with the oldest unsaved change; undefined if all are saved. */
  get oldest(): number | undefined {
    let oldest: number | undefined;
    let least = Infinity;
    for (let page = 0; page < this.changedAfter.length; page++) {
      if (this.changedAfter[page]! < least) least = this.changedAfter[(oldest = page)]!;
    }
    return oldest;
  }

  get changedPages(): number {
    return this.changedAfter.reduce((sum, before) => sum + (before < Infinity ? 1 : 0), 0);
  }

  /** All changes are caused by inputs after this position; Infinity if there are none. */
  get replayAfter(): number {
    let least = Infinity;
    for (const before of this.changedAfter) least = Math.min(least, before);
    return least;
  }
}
