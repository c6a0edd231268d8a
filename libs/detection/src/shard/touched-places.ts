/** Places whose progress was not told yet, in the order in which they were first touched. */
export class TouchedPlaces {
  private places: number[] = [];
  private isTouched = new Uint8Array(64);

  add(place: number): void {
    if (this.isTouched[place] === 1) return;
    if (place >= this.isTouched.length) {
      const grown = new Uint8Array(Math.max(place + 1, this.isTouched.length * 2));
      grown.set(this.isTouched);
      this.isTouched = grown;
    }
    this.isTouched[place] = 1;
    this.places.push(place);
  }

  /** All of them; none is left. */
  takeAll(): number[] {
    return this.take(() => true);
  }

  /** Those of [from, until); the others stay. */
  takeRange(from: number, until: number): number[] {
    return this.take((place) => place >= from && place < until);
  }

  /** The series at a place is gone. */
  drop(place: number): void {
    this.take((one) => one === place);
  }

  private take(isWanted: (place: number) => boolean): number[] {
    const taken: number[] = [];
    const left: number[] = [];
    for (const place of this.places) {
      if (!isWanted(place)) left.push(place);
      else {
        this.isTouched[place] = 0;
        taken.push(place);
      }
    }
    this.places = left;
    return taken;
  }
}
