import { Setting } from '../config/setting.decorator.js';

/**
 * Traces by OpenTelemetry. The settings have the names of OpenTelemetry: its packages read them too, and further ones
 * (docs/guide/tracing.md).
 */
export class TracingConfig {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: 'url',
    defaultText: 'none: no traces',
    sentence:
      'Address of an OpenTelemetry collector; traces go to `/v1/traces` below it, as OTLP over HTTP in JSON (docs/guide/tracing.md).',
  })
  endpoint: string | undefined;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    type: 'url',
    defaultText: 'none',
    sentence: 'Full address for traces, if it is not `/v1/traces` below OTEL_EXPORTER_OTLP_ENDPOINT.',
  })
  tracesEndpoint: string | undefined;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    type: 'string',
    secret: true,
    defaultText: 'none',
    sentence: 'Headers of requests to the collector: `name=value,name=value`.',
  })
  headers: string | undefined;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    type: 'string',
    secret: true,
    defaultText: 'none',
    sentence: 'The same, only for traces.',
  })
  tracesHeaders: string | undefined;

  @Setting({ env: 'OTEL_SERVICE_NAME', type: 'string', sentence: 'Name of the service in traces.' })
  serviceName = 'plumbline';

  @Setting({
    env: 'OTEL_TRACES_EXPORTER',
    type: 'string',
    sentence: '`none` switches traces off, regardless of the other settings.',
  })
  exporter = 'otlp';

  @Setting({ env: 'OTEL_SDK_DISABLED', type: 'boolean', sentence: 'Switches traces off.' })
  isDisabled = false;

  /** True if an endpoint for traces is set and they are not switched off. */
  get isWanted(): boolean {
    const isSet = this.endpoint !== undefined || this.tracesEndpoint !== undefined;
    return isSet && !this.isDisabled && this.exporter !== 'none';
  }
}
