/**
 * The order in which the rows of an input are applied: all rows of a series together, in their original order. Series
 * do not affect each other, so this changes no verdict; but a record whose rows are processed in succession stays in
 * the processor cache, and is moved only once.
 */
export class InputOrder {
  /** Places of the input's series, in the order of their first rows. */
  places: number[] = [];
  /** Row numbers, grouped by series in the order of `places`; `rows` of them count. */
  order = new Uint32Array(64);
  rows = 0;
  private placeOf = new Int32Array(64);
  private countOf = new Uint32Array(64);

  /** `placeAt`: the place of the series of a row, below `capacity`; negative: the row is omitted. */
  arrange(rows: number, capacity: number, placeAt: (row: number) => number): void {
    if (this.order.length < rows) {
      this.order = new Uint32Array(Math.max(rows, this.order.length * 2));
      this.placeOf = new Int32Array(this.order.length);
    }
    if (this.countOf.length < capacity) this.countOf = new Uint32Array(Math.max(capacity, this.countOf.length * 2));
    const { placeOf, countOf, order } = this;
    this.places = [];
    this.rows = 0;
    for (let row = 0; row < rows; row++) {
      const place = (placeOf[row] = placeAt(row));
      if (place < 0) continue;
      if (countOf[place] === 0) this.places.push(place);
      countOf[place] = countOf[place]! + 1;
      this.rows++;
    }
    let next = 0;
    for (const place of this.places) {
      const count = countOf[place]!;
      countOf[place] = next;
      next += count;
    }
    for (let row = 0; row < rows; row++) {
      const place = placeOf[row]!;
      if (place < 0) continue;
      const at = countOf[place]!;
      order[at] = row;
      countOf[place] = at + 1;
    }
    for (const place of this.places) countOf[place] = 0;
  }

  /** Place of the row. */
  place(row: number): number {
    return this.placeOf[row]!;
  }
}
