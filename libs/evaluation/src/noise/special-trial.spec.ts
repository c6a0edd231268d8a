import { type NoiseContestant } from './noise-trial.js';
import { runSpecialTrial, specialCase, specialFigures } from './special-trial.js';

const opens = (...anomalies: [first: number, last: number][]): NoiseContestant => ({
  name: 'planned',
  anomaliesOf: () => anomalies.map(([first, last]) => ({ first, last })),
});

describe('runSpecialTrial', () => {
  it('counts anomalies without trouble from the first judged row on', () => {
    const quiet = specialCase('rows_of_a_day', 1);
    const { judgedFrom } = quiet.series;
    const trial = runSpecialTrial(quiet, opens([judgedFrom - 1, judgedFrom], [judgedFrom, judgedFrom]));
    expect(trial).toEqual({ kind: 'rows_of_a_day', opened: 1, found: null, openSeconds: null });
  });

  it('finds trouble only until its end, and counts an anomaly at the return as another one', () => {
    const ramp = specialCase('ramp_fall', 1);
    const { from, until } = ramp.series.trouble!;
    const found = runSpecialTrial(ramp, opens([from + 1, from + 10], [until, until + 5]));
    expect(found).toMatchObject({ opened: 1, found: true, openSeconds: 11 * 60 });
    const missed = runSpecialTrial(ramp, opens([until, until + 500]));
    expect(missed).toMatchObject({ opened: 1, found: false, openSeconds: null });
    expect(specialFigures([found, missed])).toEqual([
      { kind: 'ramp_fall', opened: 1, anomalous: 2, found: 1, openSeconds: 660 },
    ]);
  });
});
