import { AreaApp } from '../../../../../../test/support/area-app.js';
import { HandClock } from '../../../../../../test/support/hand-clock.js';
import { DEFAULT_PROTOCOL_SETTING, ProtocolSettingsService } from '../../../data/ingest/protocol-settings.service.js';
import { OrgModule } from '../../../people/org/org.module.js';
import { IngestSettingsModule } from '../ingest-settings.module.js';
import { IngestSettingsService } from './ingest-settings.service.js';

class SettingsApp extends AreaApp {
  static async create(): Promise<SettingsApp> {
    const clock = new HandClock();
    return new SettingsApp(await this.start([IngestSettingsModule, OrgModule], { clock }), clock);
  }
}

it('protocol settings of an organisation apply only to that organisation and protocol', async () => {
  const app = await SettingsApp.create();
  try {
    const { id } = await app.anOrg();
    const { id: other } = await app.anOrg();
    await app.database.dataSource.query(
      `INSERT INTO integration (org_id, service_id, "values") VALUES
         ($1, 'prometheus', '{"histograms": "buckets"}'),
         ($1, 'opentelemetry', '{"quantiles": [0.5], "resource_attributes": ["region"]}'),
         ($1, 'webhook', '{"url": "https://example.org"}')`,
      [id],
    );
    await app.get(IngestSettingsService).run();
    const settings = app.get(ProtocolSettingsService);
    expect(settings.of(id, 'prometheus').histograms).toEqual({ mode: 'buckets', quantiles: [0.5, 0.9, 0.99] });
    expect(settings.of(id, 'otlp')).toEqual({
      histograms: { mode: 'quantiles', quantiles: [0.5] },
      resourceAttributes: ['region'],
    });
    expect(settings.of(other, 'otlp')).toBe(DEFAULT_PROTOCOL_SETTING);
    expect(settings.of(id, 'influx')).toBe(DEFAULT_PROTOCOL_SETTING);
  } finally {
    await app.close();
  }
});
