/** A column of numbers of unknown length: doubles its capacity when full, and holds no object per number. */
export class GrowingColumn {
  private room = new Float64Array(1024);
  private used = 0;

  get length(): number {
    return this.used;
  }

  push(value: number): void {
    if (this.used === this.room.length) {
      const larger = new Float64Array(this.room.length * 2);
      larger.set(this.room);
      this.room = larger;
    }
    this.room[this.used++] = value;
  }

  toArray(): Float64Array {
    return this.room.slice(0, this.used);
  }
}
