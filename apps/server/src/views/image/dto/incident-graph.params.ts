import { BoolParam, EnumParam, IntParam, StrParam } from '../../../common/validation/param.decorators.js';
import { WindowParams } from '../../../common/window/window.params.js';
import { GRAPH_FORMATS, type GraphFormat, type GraphTheme, ThemeParam, WidthParam } from './graph.params.js';

export class IncidentGraphParams extends WindowParams {
  @BoolParam({ default: true })
  display_anomalies!: boolean;

  @BoolParam({ default: true })
  display_expected_range!: boolean;

  @WidthParam(1000)
  width!: number;

  @IntParam({ min: 100, max: 2000, description: 'Pixels; default as many as its metrics need, at most eight of them' })
  height?: number;

  @ThemeParam()
  theme!: GraphTheme;

  @StrParam({ min: 0, max: 200, default: '', description: 'Default the title of the incident' })
  title!: string;

  @EnumParam(GRAPH_FORMATS, { default: 'html' })
  format!: GraphFormat;
}
