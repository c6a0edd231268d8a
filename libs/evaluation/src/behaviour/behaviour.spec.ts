import { figureText, goalText, isPlausible, notesOf, type Tally } from './tally.js';
import { runTrial } from './run.js';
import { SCENES, SHORT_SCENES } from './scenes.js';

/**
 * The short form of `npm run test:behaviour`: the same cells over a few trials. A cell fails if even these few trials
 * clearly contradict its goal (see isPlausible). Cells with a goal per month need many months and are omitted.
 */
const TRIALS = 8;

it('behaviour cells have unique names', () => {
  const names = SCENES.flatMap(({ cells }) => cells.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

const judgedScenes = SHORT_SCENES.filter(({ cells }) => cells.some(({ goal }) => goal.kind !== 'none'));

describe.each(judgedScenes)('$name', (scene) => {
  const tallies: Tally[] = scene.cells.map(() => ({ outcomes: [], errors: [] }));

  beforeAll(() => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const results = runTrial(
        scene,
        trial,
        () => true,
        () => 0,
      );
      for (const { cell, outcome, error } of results) {
        if (outcome !== undefined) tallies[cell]!.outcomes.push(outcome);
        if (error !== undefined) tallies[cell]!.errors.push(error);
      }
    }
  }, 120_000);

  const judged = scene.cells
    .map((one, index) => ({ ...one, text: goalText(one.goal), tally: tallies[index]! }))
    .filter(({ goal }) => goal.kind !== 'none');

  it.each(judged)('$name, $text', ({ goal, tally }) => {
    const measured = [figureText(goal, tally), notesOf(tally), ...tally.errors].filter((text) => text !== '');
    expect(isPlausible(goal, tally) ? 'plausible' : measured.join('; ')).toBe('plausible');
  });
});
