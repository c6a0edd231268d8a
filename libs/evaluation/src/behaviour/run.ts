import { type Outcome, type Scene } from './cell.js';

/** The result of one cell in one trial. */
export interface CellResult {
  /** Index among the cells of the scene. */
  cell: number;
  outcome?: Outcome;
  /** Message, if the trial threw an error. */
  error?: string;
  seconds: number;
}

/**
 * Runs one trial of a scene. `wanted` selects the cells; `now` returns milliseconds. The time for creating the world is
 * divided among them.
 */
export function runTrial(
  scene: Scene,
  trial: number,
  wanted: (cell: number) => boolean,
  now: () => number,
): CellResult[] {
  const indexes = [...scene.cells.keys()].filter(wanted);
  if (indexes.length === 0) return [];
  const startedAt = now();
  let cells: ReturnType<Scene['begin']>;
  try {
    cells = scene.begin(trial);
  } catch (error) {
    return indexes.map((cell) => ({ cell, error: messageOf(error), seconds: 0 }));
  }
  const share = (now() - startedAt) / 1000 / indexes.length;
  return indexes.map((cell) => {
    const from = now();
    const seconds = (): number => share + (now() - from) / 1000;
    try {
      const outcome = cells[cell]!();
      return { cell, outcome, seconds: seconds() };
    } catch (error) {
      return { cell, error: messageOf(error), seconds: seconds() };
    }
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
