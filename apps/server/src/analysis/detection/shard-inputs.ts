import { type ShardInput } from '#libs/detection';

export interface JoinedInput {
  input: ShardInput;
  /** Positions of the combined inputs. */
  positions: number[];
}

/**
 * Combines successive points into one input: the more rows of a series are applied together, the less often its state
 * is loaded. Ticks and changes of definitions keep their positions between points. Inputs up to `appliedPosition` stay
 * separate: a restored page may include one of them and not the next, and their effects are stored.
 */
export function joinInputs(inputs: readonly ShardInput[], appliedPosition: number): JoinedInput[] {
  const joined: JoinedInput[] = [];
  for (let first = 0; first < inputs.length;) {
    const { kind, position = 0 } = inputs[first]!;
    const isAlone = (kind !== 'live' && kind !== 'backfill') || position <= appliedPosition;
    let end = first + 1;
    while (!isAlone && inputs[end]?.kind === kind) end++;
    const group = inputs.slice(first, end);
    joined.push({ input: join(group), positions: group.map((input) => input.position ?? 0) });
    first = end;
  }
  return joined;
}

function join(inputs: readonly ShardInput[]): ShardInput {
  const last = inputs.at(-1)!;
  if (inputs.length === 1) return last;
  const rows = inputs.reduce((sum, { ids }) => sum + ids.length, 0);
  const ids = new Uint32Array(rows);
  const timestamps = new Float64Array(rows);
  const values = new Float64Array(rows);
  let row = 0;
  for (const input of inputs) {
    ids.set(input.ids, row);
    timestamps.set(input.timestamps, row);
    values.set(input.values, row);
    row += input.ids.length;
  }
  return { ...last, ids, timestamps, values };
}
