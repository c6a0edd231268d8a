const IDLE = 0;
const MOVED = 1;
const CHANGED = 2;

/**
 * Places whose progress is not reported yet. Those that changed otherwise than by a newer value go first; the others in the
 * order in which they were first touched, so that none waits for ever when only some are taken at a time.
 */
export class TouchedPlaces {
  /** May name places that were taken meanwhile: `states` decides. */
  private moved: number[] = [];
  private changed: number[] = [];
  private states = new Uint8Array(64);
  private waiting = 0;

  /** The series at a place has a newer value. */
  add(place: number): void {
    if (this.stateOf(place) === IDLE) this.put(this.moved, place, MOVED);
  }

  /** Something else is new of it, which is not to wait. */
  addFirst(place: number): void {
    const state = this.stateOf(place);
    if (state === CHANGED) return;
    if (state === MOVED) this.waiting--;
    this.put(this.changed, place, CHANGED);
  }

  /** Places that wait. */
  get size(): number {
    return this.waiting;
  }

  /** All that are not to wait, and at most `most` of the others. */
  take(most = Infinity): number[] {
    const taken: number[] = [];
    for (const place of this.changed) this.takeOne(place, CHANGED, taken);
    this.changed = [];
    const enough = taken.length + most;
    let next = 0;
    while (next < this.moved.length && taken.length < enough) this.takeOne(this.moved[next++]!, MOVED, taken);
    this.moved = next === this.moved.length ? [] : this.moved.slice(next);
    return taken;
  }

  /** Those of [from, until); the others stay. */
  takeRange(from: number, until: number): number[] {
    const taken: number[] = [];
    const end = Math.min(until, this.states.length);
    for (let place = from; place < end; place++) {
      if (this.states[place] !== IDLE) this.takeOne(place, this.states[place]!, taken);
    }
    return taken;
  }

  /** The series at a place is gone. */
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
    this.states[place] = state;
    this.waiting++;
    list.push(place);
    // Places that were taken by range and touched again stand in the list more than once.
    if (this.moved.length > 2 * this.states.length) this.forgetTaken();
  }

  private takeOne(place: number, state: number, taken: number[]): void {
    if (this.states[place] !== state) return;
    this.states[place] = IDLE;
    this.waiting--;
    taken.push(place);
  }

  private forgetTaken(): void {
    const kept = new Set(this.moved.filter((place) => this.states[place] === MOVED));
    this.moved = [...kept];
  }
}
