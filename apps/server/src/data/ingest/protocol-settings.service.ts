import { Injectable } from '@nestjs/common';
import { DEFAULT_HISTOGRAM_SETTINGS, DEFAULT_RESOURCE_ATTRIBUTES, type HistogramSettings } from '#libs/protocols';

/** How bodies of one protocol are parsed. Can be sent between threads. */
export interface ProtocolSetting {
  histograms: HistogramSettings;
  /** For OpenTelemetry: the resource attributes that become labels. */
  resourceAttributes: readonly string[];
}

/** Protocols that organisations have settings of. */
export type SettableProtocol = 'prometheus' | 'otlp';

export const DEFAULT_PROTOCOL_SETTING: ProtocolSetting = {
  histograms: DEFAULT_HISTOGRAM_SETTINGS,
  resourceAttributes: DEFAULT_RESOURCE_ATTRIBUTES,
};

export interface OrgProtocolSetting extends ProtocolSetting {
  orgId: number;
  protocol: SettableProtocol;
}

/** In-memory settings of organisations for protocols; a higher area passes them after every change. */
@Injectable()
export class ProtocolSettingsService {
  private known: ReadonlyMap<string, ProtocolSetting> = new Map();

  /** Organisations that are omitted have the defaults. */
  replaceAll(settings: readonly OrgProtocolSetting[]): void {
    this.known = new Map(
      settings.map(({ orgId, protocol, histograms, resourceAttributes }) => [
        keyOf(orgId, protocol),
        { histograms, resourceAttributes },
      ]),
    );
  }

  of(orgId: number, protocol: string): ProtocolSetting {
    return this.known.get(keyOf(orgId, protocol)) ?? DEFAULT_PROTOCOL_SETTING;
  }
}

const keyOf = (orgId: number, protocol: string): string => `${String(orgId)} ${protocol}`;
