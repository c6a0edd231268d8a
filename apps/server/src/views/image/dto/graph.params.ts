import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { Check, exactlyOne } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  enumKind,
  EnumParam,
  IntParam,
  RowIdParam,
  ListParam,
  StrParam,
  TimestampParam,
} from '../../../common/validation/param.decorators.js';
import { COUNT_SERIES, type CountSeriesName } from '../../organisation/org-counts.dto.js';
import { WindowParams } from '../../../common/window/window.params.js';

const X_AXES = ['none', 'above', 'below'] as const;
const Y_AXES = ['none', 'left', 'right'] as const;
const THEMES = ['light', 'dark', 'auto'] as const;
export const GRAPH_FORMATS = ['html', 'svg', 'png', 'json'] as const;
export const IMAGE_FORMATS = ['png', 'svg'] as const;

export type GraphTheme = (typeof THEMES)[number];
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

export const WidthParam = (standard: number): PropertyDecorator =>
  IntParam({ min: 200, max: 4000, default: standard, description: 'Pixels' });
export const HeightParam = (standard: number): PropertyDecorator =>
  IntParam({ min: 100, max: 2000, default: standard, description: 'Pixels' });
export const ThemeParam = (): PropertyDecorator =>
  EnumParam(THEMES, { default: 'light', description: '`auto` follows the reader in HTML, and is light in pictures' });

/** Display options of a metric. */
class DisplayParams extends WindowParams {
  @EnumParam(X_AXES, { default: 'below' })
  display_x_axis!: (typeof X_AXES)[number];

  @EnumParam(Y_AXES, { default: 'right' })
  display_y_axis!: (typeof Y_AXES)[number];

  @BoolParam({ default: true })
  display_legend!: boolean;

  @BoolParam({ default: true })
  display_anomalies!: boolean;

  @BoolParam({ default: true })
  display_matches!: boolean;

  @BoolParam({ default: true })
  display_expected_range!: boolean;

  @BoolParam({ description: 'Draw per-second rates; default true for counters' })
  display_derivative?: boolean;

  @WidthParam(1000)
  width!: number;

  @HeightParam(320)
  height!: number;

  @ThemeParam()
  theme!: GraphTheme;

  @StrParam({ min: 0, max: 200, default: '', description: 'Default the name of what is shown' })
  title!: string;
}

export class GraphParams extends DisplayParams {
  @EnumParam(GRAPH_FORMATS, { default: 'html' })
  format!: GraphFormat;
}

export class OrgGraphParams extends GraphParams {
  @ListParam(enumKind(COUNT_SERIES), {
    minItems: 1,
    default: ['anomalies', 'matches'],
    description:
      'What is counted. In pictures display_anomalies and display_matches leave these two out; rates and expected ranges there are none',
  })
  series!: readonly CountSeriesName[];
}

export class MetricImageParams extends DisplayParams {
  @MetricParam({ required: true })
  metric!: MetricRef;

  @EnumParam(IMAGE_FORMATS, { default: 'png' })
  format!: (typeof IMAGE_FORMATS)[number];
}

@Check<AnomalyImageParams>(exactlyOne('anomaly_id', 'metric'))
@Check<AnomalyImageParams>((_, { given }) =>
  given.has('metric') && !given.has('timestamp')
    ? [{ field: 'timestamp', code: 'required', message: 'timestamp is required with metric' }]
    : [],
)
export class AnomalyImageParams {
  @RowIdParam({ description: 'The anomaly; or metric and timestamp' })
  anomaly_id?: number;

  @MetricParam()
  metric?: MetricRef;

  @TimestampParam({ description: 'With metric: a time of the anomaly' })
  timestamp?: number;

  @WidthParam(800)
  width!: number;

  @HeightParam(300)
  height!: number;

  @ThemeParam()
  theme!: GraphTheme;

  @EnumParam(IMAGE_FORMATS, { default: 'png' })
  format!: (typeof IMAGE_FORMATS)[number];
}
