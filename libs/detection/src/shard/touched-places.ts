const IDLE = 0;
const MOVED = 1;
const NEW = 2;
const CHANGED = 3;

/**
 * Places whose progress is not reported yet. Places with changes other than a newer value are first, then those of new
 * series, then the others; each group in the order in which the places were first touched, so that none waits forever
 * if only some are drained at a time.
 */
export class TouchedPlaces {
  /** May contain places that were already drained: `states` decides. */
  private moved: number[] = [];
  private fresh: number[] = [];
  private changed: number[] = [];
  private states = new Uint8Array(64);
  private waiting = 0;
  private waitingNew = 0;

  /** Notes that the series at a place has a newer value. */
  add(place: number): void {
    if (this.stateOf(place) === IDLE) this.put(this.moved, place, MOVED);
  }

  /** Notes that the series at a place has its first value. */
  addNew(place: number): void {
    if (this.stateOf(place) < NEW) this.put(this.fresh, place, NEW);
  }

  /** Notes that the series at a place has another change, which must be reported without delay. */
  addFirst(place: number): void {
    if (this.stateOf(place) < CHANGED) this.put(this.changed, place, CHANGED);
  }

  /** Number of waiting places. */
  get size(): number {
    return this.waiting;
  }

  /** Number of waiting places of new series. */
  get sizeNew(): number {
    return this.waitingNew;
  }

  /**
   * All places with a change that must not wait, up to `mostNew` of those of new series, and up to `most` of the
   * others.
   */
  take(most = Infinity, mostNew = Infinity): number[] {
    const taken: number[] = [];
    this.changed = this.takeSome(this.changed, CHANGED, Infinity, taken);
    this.fresh = this.takeSome(this.fresh, NEW, mostNew, taken);
    this.moved = this.takeSome(this.moved, MOVED, most, taken);
    return taken;
  }

  /** The waiting places in [from, until); the others stay. */
  takeRange(from: number, until: number): number[] {
    const taken: number[] = [];
    const end = Math.min(until, this.states.length);
    for (let place = from; place < end; place++) {
      if (this.states[place] !== IDLE) this.takeOne(place, this.states[place]!, taken);
    }
    return taken;
  }

  /** Notes that the series at a place was removed. */
  drop(place: number): void {
    this.takeRange(place, place + 1);
  }

  private stateOf(place: number): number {
    return this.states[place] ?? IDLE;
  }

  private put(list: number[], place: number, state: number): void {
    if (place >= this.states.length) {
      const grown = new Uint8Array(Math.max(place + 1, this.states.length * 2));
      grown.set(this.states);
      this.states = grown;
    }
    this.clear(place);
    this.states[place] = state;
    this.waiting++;
    if (state === NEW) this.waitingNew++;
    list.push(place);
    // Places that were drained by range and touched again are in the list more than once.
    if (this.moved.length > 2 * this.states.length) this.forgetTaken();
  }

  /** Drains places from the rest of the list. */
  private takeSome(list: number[], state: number, most: number, taken: number[]): number[] {
    const enough = taken.length + most;
    let next = 0;
    while (next < list.length && taken.length < enough) this.takeOne(list[next++]!, state, taken);
    return next === list.length ? [] : list.slice(next);
  }

  private takeOne(place: number, state: number, taken: number[]): void {
    if (this.states[place] !== state) return;
    this.clear(place);
    taken.push(place);
  }

  private clear(place: number): void {
    const state = this.states[place]!;
    if (state === IDLE) return;
    this.waiting--;
    if (state === NEW) this.waitingNew--;
    this.states[place] = IDLE;
  }

  private forgetTaken(): void {
    const kept = new Set(this.moved.filter((place) => this.states[place] === MOVED));
    this.moved = [...kept];
  }
}
