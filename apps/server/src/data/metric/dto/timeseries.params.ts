import { BoolParam, EnumParam, IntParam } from '../../../common/validation/param.decorators.js';
import { TABLE_FORMATS, type TableFormat } from '../../../common/http/csv-answer.js';
import { WindowParams } from '../../../common/window/window.params.js';
import { SERIES_FUNCTIONS, type SeriesFunctionName } from '../timeseries.types.js';

/** Maximum length of a point. */
const MAX_RESOLUTION_SECONDS = 31_536_000;

export class TimeseriesParams extends WindowParams {
  @IntParam({
    min: 1,
    max: MAX_RESOLUTION_SECONDS,
    description: 'Seconds per point, a multiple of a stored resolution; default: the finest that max_points allows',
  })
  resolution?: number;

  @IntParam({ min: 10, max: 10_000, default: 2000 })
  max_points!: number;

  @EnumParam(SERIES_FUNCTIONS, { default: 'avg', description: 'How slots are combined into a longer point' })
  function!: SeriesFunctionName;

  @BoolParam({ default: false, description: 'Also the smallest and largest value of each point' })
  envelope!: boolean;

  @BoolParam({ description: 'Also per-second rates; default true for counters' })
  derivative?: boolean;

  @EnumParam(['null', 'none'], { default: 'null', description: 'Slots without data: as null, or left out' })
  fill!: 'null' | 'none';
}

/** Parameters of the call that can also answer with a table. */
export class TimeseriesTableParams extends TimeseriesParams {
  @EnumParam(TABLE_FORMATS, { default: 'json', description: 'csv: a table for spreadsheets, without envelope' })
  format!: TableFormat;
}
